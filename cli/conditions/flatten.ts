import type { Condition, Group } from "../language/condition.ts"
import { isReference } from "../language/references.ts"
import { type Clause, clauseName, conditionName, groupOf, type Term } from "./clause.ts"

/** A condition as terms, at least one of which is true. */
export function termsOf(condition: Condition): readonly Term[] {
  const parts = condition.kind === "any" ? condition.parts : [condition]
  return parts.map((part) => flatten([{ condition: part, holds: true }]))
}

/** Groups taken apart as far as that gives clauses, each clause once. */
export function flatten(term: Term): Term {
  return distinct(term.flatMap(opened))
}

/** Each clause once; of two with equal contexts, the one that has a name. */
export function distinct(clauses: readonly Clause[]): Term {
  const byName = new Map<string, Clause>()
  for (const clause of clauses) {
    const name = clauseName(clause)
    if (!byName.has(name) || isReference(clause.condition)) byName.set(name, clause)
  }
  return [...byName.values()]
}

function opened(clause: Clause): Term {
  const { condition, holds, rule } = clause
  if (rule !== undefined || !("parts" in condition)) return [clause]
  const { kind, parts } = condition
  if (kind === "none")
    return holds
      ? parts.flatMap((part) => opened({ condition: part, holds: false }))
      : opened({ condition: groupOf("any", parts), holds: true })
  if (kind === (holds ? "all" : "any")) return parts.flatMap((part) => opened({ condition: part, holds }))
  return [{ condition: unnested(kind, parts), holds }]
}

/** A group without groups of its own kind, each part once. */
function unnested(kind: Group["kind"], parts: readonly Condition[]): Condition {
  const open = (part: Condition): readonly Condition[] =>
    part.kind === kind && "parts" in part ? part.parts.flatMap(open) : [part]
  const byName = new Map(parts.flatMap(open).map((part) => [conditionName(part), part]))
  return groupOf(kind, [...byName.values()])
}
