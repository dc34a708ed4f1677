import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "../conditions/answer.ts"
import { type ContextSet, complement, contextsOf } from "../conditions/context-set.ts"
import { type Language, scopeOfKey } from "../conditions/predicate.ts"
import { canListsHelp } from "../conditions/reach.ts"
import type { Literals } from "../conditions/value.ts"
import { findContext } from "../conditions/witness.ts"
import { createWork, stepsForFlag } from "../conditions/work.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { type FlagUse, isText } from "../language/condition.ts"
import type { Flag, Invariant } from "../language/flag.ts"
import { createGiven } from "./given-sets.ts"

/** An invariant that does not hold in an environment, or that may not. */
export interface Violation {
  readonly invariant: Invariant
  readonly environment: string
  /** A context that breaks it; `undefined`: it is not known whether there is one. */
  readonly witness: Context | undefined
  /** Why it is not known. */
  readonly doubt: Doubt | undefined
  /** Whether only contexts break it in which an attribute is a list or an object though none is declared as a list. */
  readonly isOnlyLists: boolean
}

/** What invariants are about. The files have no mistakes. */
export interface Guarded extends Language {
  readonly flags: readonly Flag[]
  readonly invariants: readonly Invariant[]
}

/** The violations of invariants, in their order and that of their environments. */
export function violationsOf(guarded: Guarded): readonly Violation[] {
  const { flags, invariants, attributes } = guarded
  if (invariants.length === 0) return []
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const givenBy = createGiven(byKey, guarded)
  const scope = scopeOfKey("", guarded)
  return invariants.flatMap((invariant) =>
    invariant.environments.flatMap((environment): readonly Violation[] => {
      const violation = invariant.violationIn(environment)
      const found = violation && search(contextsOf(violation, scope, givenBy))
      if (found === undefined) return []
      const isDeclared = Object.entries(found.witness ?? {}).some(
        ([name, value]) => isListOrObject(value) && attributes?.get(name)?.type === "list",
      )
      return [{ invariant, environment, ...found, isOnlyLists: found.isOnlyLists && !isDeclared }]
    }),
  )
}

/** Whether no rules of any flags could break an invariant: each flag gives one value in each environment, whichever. */
export function isIdle(invariant: Invariant, language: Language): boolean {
  const scope = scopeOfKey("", language)
  const anything = ({ key, environment, is }: FlagUse): ContextSet => {
    const isBoolean = typeof is === "boolean"
    const given = isText(JSON.stringify([environment, key]), canonicalJson(isBoolean ? true : is))
    const set = contextsOf(given, { ...scope, isScalar: () => true })
    // Of two values, each is what the other is not.
    return isBoolean && !is ? complement(set) : set
  }
  return invariant.environments.every((environment) => {
    const violation = invariant.violationIn(environment)
    return violation !== undefined && search(contextsOf(violation, scope, anything)) === undefined
  })
}

/** Finds a context in a set, one without lists and objects if there is one; `undefined` if the set is empty. */
function search(set: ContextSet): Omit<Violation, "invariant" | "environment"> | undefined {
  const work = createWork(stepsForFlag)
  const refused: Literals[] = []
  const plain = findContext(set, { shapes: "plain", work: work.share(0.5), refused })
  const mayBeList = plain.kind === "none" && canListsHelp(refused, work)
  const answer = mayBeList ? findContext(set, { shapes: "any", work }) : plain
  if (answer.kind === "none") return undefined
  return answer.kind === "found"
    ? { witness: answer.value, doubt: undefined, isOnlyLists: mayBeList }
    : { witness: undefined, doubt: answer.because, isOnlyLists: false }
}

/** Whether an attribute's value is a list or an object. */
export function isListOrObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Date)
}
