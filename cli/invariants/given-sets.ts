import {
  type ContextSet,
  complement,
  everything,
  intersection,
  nothing,
  union,
} from "../conditions/context-set.ts"
import type { Language } from "../conditions/predicate.ts"
import { outcomesOf } from "../flag/outcomes.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { FlagUse } from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import { referenceName } from "../language/references.ts"

/** Returns the contexts to which flags give values. Of a flag that is not there, nothing is known. */
export function createGiven(
  flags: ReadonlyMap<string, Flag>,
  language: Language,
): (use: FlagUse) => ContextSet {
  const known = new Map<string, ContextSet>()
  return (use) => {
    const name = referenceName(use)
    const flag = flags.get(use.key)
    const set = known.get(name) ?? (flag && givenSet(flag, use, language)) ?? opaque(name)
    known.set(name, set)
    return set
  }
}

function givenSet(
  flag: Flag,
  { key, environment, is }: FlagUse,
  { compileExpression }: Language,
): ContextSet {
  const outcomes = outcomesOf(flag, environment, compileExpression)
  if (outcomes.length > mostRules)
    return opaque(referenceName({ kind: "flag", key, environment, is, means: undefined }))
  // From the last outcome to the first: what is left for those below.
  return outcomes.reduceRight<ContextSet>(
    (rest, { contexts, gives, rule }) =>
      rule === undefined
        ? sameValue(gives, is)
          ? everything
          : nothing
        : sameValue(gives, is)
          ? union(contexts, rest)
          : intersection(complement(contexts), rest),
    nothing,
  )
}

/** The sets are as deep as there are rules, and each level takes up some of the stack. */
const mostRules = 1_000

function opaque(name: string): ContextSet {
  return { kind: "opaque", name, holds: true, because: "bound" }
}
