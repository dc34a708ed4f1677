import type { Rule } from "../../../proxy/contract/snapshot.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { withCase } from "../../conditions/ignoring-case.ts"
import { listOf } from "../../conditions/list.ts"
import { sameValue } from "./canonical-json.ts"

/** Whether two rules do the same, apart from their ids. */
export function sameRule(a: Rule, b: Rule): boolean {
  return sameCondition(a, b) && sameValue(a.returnValue, b.returnValue)
}

/** Whether both are written the same way, apart from the order of a list and the notation of a number. */
function sameCondition(a: Condition, b: Condition): boolean {
  if (a.attribute !== b.attribute || a.operator !== b.operator) return false
  if (a.value === b.value) return true
  if (numeric.has(a.operator)) return Number(a.value) === Number(b.value)
  if (!/^(in|notIn)$/.test(withCase(a.operator))) return false
  const [textsOfA, textsOfB] = [new Set(listOf(a)), new Set(listOf(b))]
  return textsOfA.size === textsOfB.size && [...textsOfA].every((text) => textsOfB.has(text))
}

const numeric = new Set(["percentage", "greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals"])
