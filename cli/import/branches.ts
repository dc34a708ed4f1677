import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import {
  type Condition,
  type GroupKind,
  type ParsedCondition,
  parseCondition,
} from "../../sdk/evaluation/condition.ts"

/** More would not fit into the contexts of a proof. */
const mostBranches = 20

/**
 * For each way to satisfy each rule, such as one part of an `any`, the entry with that rule satisfied in no other way, up to this
 * rule. The rule's position is the last one. Rules that can only be satisfied in one way have none.
 */
export function branchesOf(entry: FlagEntry): readonly FlagEntry[] {
  const { environment } = entry
  const rules = environment?.rules ?? []
  const found = rules.flatMap((rule, at) =>
    narrowed(parseCondition(rule), true).map((condition) => [
      ...rules.slice(0, at),
      { ...rule, ...condition },
    ]),
  )
  return found
    .slice(0, mostBranches)
    .map((rules) => ({ ...entry, environment: environment && { ...environment, rules } }))
}

/** The condition, once for each way in which it `holds`, or does not hold, with every other way ruled out. */
function narrowed(parsed: ParsedCondition, holds: boolean): readonly Condition[] {
  if (!("parts" in parsed)) return []
  const { kind, parts } = parsed
  const isChoice = kind === "any" ? holds : !holds
  return parts.flatMap((part, at) => {
    const others = parts.flatMap(({ condition }, index) => (index === at ? [] : condition))
    const within = narrowed(part, kind === "none" ? !holds : holds)
    if (!isChoice || parts.length === 1) return within.map((one) => group(kind, [one, ...others]))
    return [part.condition, ...within].map((one) => onlyBy(kind, one, others))
  })
}

/** The group decided by one part alone. */
function onlyBy(kind: GroupKind, one: Condition, others: readonly Condition[]): Condition {
  if (kind === "all") return group("any", [one, group("none", [group("all", others)])])
  const alone = group("all", [one, group("none", others)])
  return kind === "any" ? alone : group("none", [alone])
}

function group(kind: GroupKind, parts: readonly Condition[]): Condition {
  return { attribute: "", operator: kind, value: JSON.stringify(parts) }
}
