import { all, any, type Condition, none } from "../language/condition.ts"

/** More would not fit into the contexts of a proof. */
const mostBranches = 20

/**
 * For each way to satisfy each rule, such as one part of an `any`, the rules up to this one, which is satisfied in no other way. Rules
 * that can only be satisfied in one way have none.
 */
export function branchesOf(rules: readonly Condition[]): readonly (readonly Condition[])[] {
  return rules
    .flatMap((rule, at) => narrowed(rule, true).map((condition) => [...rules.slice(0, at), condition]))
    .slice(0, mostBranches)
}

/** The condition, once for each way in which it `holds`, or does not hold, with every other way ruled out. */
function narrowed(condition: Condition, holds: boolean): readonly Condition[] {
  if ("means" in condition) return condition.means === undefined ? [] : narrowed(condition.means, holds)
  if (!("parts" in condition)) return []
  const { kind, parts } = condition
  const isChoice = kind === "any" ? holds : !holds
  return parts.flatMap((part, at) => {
    const others = parts.toSpliced(at, 1)
    const within = narrowed(part, kind === "none" ? !holds : holds)
    if (!isChoice || parts.length === 1) return within.map((one) => groups[kind](one, ...others))
    return [part, ...within].map((one) => onlyBy(kind, one, others))
  })
}

const groups = { all, any, none }

/** The group decided by one part alone. */
function onlyBy(kind: keyof typeof groups, one: Condition, others: readonly Condition[]): Condition {
  if (kind === "all") return any(one, none(all(...others)))
  const alone = all(one, none(...others))
  return kind === "any" ? alone : none(alone)
}
