import { type Condition as Encoded, parseCondition } from "../../sdk/evaluation/condition.ts"
import { always, attributesIn, type Condition, type Group, operandText } from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import { isReference, referenceName } from "../language/references.ts"
import { type ContextSet, complement, contextsOf } from "./context-set.ts"
import type { SetScope } from "./predicate.ts"

/** A condition that a context must match (`holds`) or must not. */
export interface Clause {
  readonly condition: Condition
  readonly holds: boolean
  /** The number in its file, from 1, of the rule that it excludes and that is known by it; such a clause is not taken apart. */
  readonly rule?: number
}

/** Clauses that are true together. */
export type Term = readonly Clause[]

/** A text that is equal for clauses that are written the same way. */
export function clauseName({ condition, holds }: Clause): string {
  return `${holds ? "" : "not "}${conditionName(condition)}`
}

/** A text that is equal for conditions that are written the same way, whether spelled out or by reference. */
export function conditionName(condition: Condition): string {
  const known = names.get(condition)
  if (known !== undefined) return known
  const name = nameOf(condition)
  names.set(condition, name)
  return name
}

const names = new WeakMap<Condition, string>()

function nameOf(condition: Condition): string {
  switch (condition.kind) {
    case "comparison": {
      const { attribute, operator, ignoreCase = false } = condition
      return JSON.stringify([attribute, operator, operandText(condition), ignoreCase])
    }
    case "share": {
      const { by, seed, from, to } = condition
      return JSON.stringify([by, seed, from, to])
    }
    case "segment":
    case "flag":
      return condition.means === undefined ? condition.kind : conditionName(condition.means)
    default:
      return `${condition.kind}(${condition.parts.map(conditionName).join()})`
  }
}

/** A text that is equal for clauses that are told in the same way: references by their names. */
export function saidName(clause: Clause): string {
  const { condition } = clause
  return isReference(condition) ? `${clauseName(clause)} ${referenceName(condition)}` : clauseName(clause)
}

/** Returns the contexts of clauses. */
export function createSets(scope: SetScope): (clause: Clause) => ContextSet {
  const sets = new Map<string, ContextSet>()
  return ({ condition, holds }) => {
    const name = conditionName(condition)
    const set = sets.get(name) ?? contextsOf(condition, scope)
    sets.set(name, set)
    return holds ? set : complement(set)
  }
}

/** A group, or the only part of one. */
export function groupOf(kind: Group["kind"], parts: readonly Condition[]): Condition {
  const [only] = parts
  return only !== undefined && parts.length === 1 && kind !== "none" ? only : { kind, parts }
}

/** Whether two clauses share an attribute: if not, neither can follow from the other or contradict it. */
export function createMeets(): (a: Clause, b: Clause) => boolean {
  const known = new Map<Condition, ReadonlySet<string>>()
  const attributesOf = (condition: Condition): ReadonlySet<string> => {
    const attributes = known.get(condition) ?? new Set(attributesIn(condition))
    known.set(condition, attributes)
    return attributes
  }
  return (a, b) => {
    const attributes = attributesOf(a.condition)
    return [...attributesOf(b.condition)].some((attribute) => attributes.has(attribute))
  }
}

/**
 * The contexts of at least one term, as a rule's condition is sent; `undefined` if that would be larger than a rule may be.
 * `key`: the flag's.
 */
export function encodeTerms(terms: readonly Term[], key: string): Encoded | undefined {
  const encoded = createEncode(key)(groupOf("any", terms.map(conditionOf)))
  return encoded === undefined || parseCondition(encoded).kind === "unreadable" ? undefined : encoded
}

/** The contexts of a term, as a condition. */
function conditionOf(term: Term): Condition {
  const [matching, excluded] = [true, false].map((holds) =>
    term.flatMap((clause) => (clause.holds === holds ? [clause.condition] : [])),
  )
  const parts = [...(matching ?? []), ...(excluded?.length ? [groupOf("none", excluded)] : [])]
  return parts.length === 0 ? always : groupOf("all", parts)
}
