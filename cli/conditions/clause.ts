import {
  type Condition,
  type GroupKind,
  type ParsedCondition,
  parseCondition,
} from "../../sdk/evaluation/condition.ts"
import { always } from "../language/comparisons.ts"
import { type ContextSet, complement, contextsOf, intersection } from "./context-set.ts"
import type { SetScope } from "./predicate.ts"

/** A condition that a context must match (`holds`) or must not. */
export interface Clause {
  readonly condition: Condition
  readonly holds: boolean
}

/** Clauses that are true together. */
export type Term = readonly Clause[]

/** A string that is equal for clauses that are written the same way. */
export function clauseName({ condition, holds }: Clause): string {
  return `${holds ? "" : "not "}${conditionName(condition)}`
}

export function conditionName({ attribute, operator, value }: Condition): string {
  return JSON.stringify([attribute, operator, value])
}

/** Returns the contexts of clauses; each condition is parsed once. */
export function createSets(scope: SetScope): (clause: Clause) => ContextSet {
  const sets = new Map<string, ContextSet>()
  return ({ condition, holds }) => {
    const name = conditionName(condition)
    const set = sets.get(name) ?? contextsOf(condition, scope)
    sets.set(name, set)
    return holds ? set : complement(set)
  }
}

export function groupOf(kind: GroupKind, parts: readonly Condition[]): Condition {
  const [only] = parts
  if (only !== undefined && parts.length === 1 && kind !== "none") return only
  return { attribute: "", operator: kind, value: JSON.stringify(parts) }
}

/** The conditions of a group; `undefined` for any other condition. */
export function partsOf(condition: Condition): readonly Condition[] | undefined {
  const parsed: ParsedCondition = parseCondition(condition)
  return "parts" in parsed ? parsed.parts.map((part) => part.condition) : undefined
}

/** Whether two clauses share an attribute: if not, neither can follow from the other or contradict it. */
export function createMeets(): (one: Clause, other: Clause) => boolean {
  const known = new Map<string, ReadonlySet<string>>()
  const attributesOf = (condition: Condition): ReadonlySet<string> => {
    const name = conditionName(condition)
    const attributes = known.get(name) ?? new Set(attributesIn(condition))
    known.set(name, attributes)
    return attributes
  }
  return (one, other) => {
    const attributes = attributesOf(one.condition)
    return [...attributesOf(other.condition)].some((attribute) => attributes.has(attribute))
  }
}

function attributesIn(condition: Condition): readonly string[] {
  return partsOf(condition)?.flatMap(attributesIn) ?? [condition.attribute]
}

/** The contexts of at least one term, as a rule's condition; `undefined` if that would be larger than a rule may be. */
export function conditionOf(terms: readonly Term[]): Condition | undefined {
  const condition = groupOf("any", terms.map(termCondition))
  return parseCondition(condition).kind === "unreadable" ? undefined : condition
}

function termCondition(term: Term): Condition {
  const matching = term.filter(({ holds }) => holds).map(({ condition }) => condition)
  const others = term.filter(({ holds }) => !holds).map(({ condition }) => condition)
  const parts = others.length === 0 ? matching : [...matching, groupOf("none", others)]
  return parts.length === 0 ? always : groupOf("all", parts)
}

/** The contexts of a term. */
export function termSet(term: Term, setOf: (clause: Clause) => ContextSet): ContextSet {
  return intersection(...term.map(setOf))
}
