import type { Rule } from "../../sdk/contract/snapshot.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import { sameValue } from "../language/canonical-json.ts"
import { listOf } from "../language/comparisons.ts"
import { operators } from "../language/operators.ts"

/** Whether two rules do the same, apart from their ids. */
export function sameRule(a: Rule, b: Rule): boolean {
  return sameCondition(a, b) && sameValue(a.returnValue, b.returnValue)
}

/** Whether both are written the same way, apart from the order of a list and the notation of a number. */
function sameCondition(a: Condition, b: Condition): boolean {
  if (a.attribute !== b.attribute || a.operator !== b.operator) return false
  if (a.value === b.value) return true
  const operand = operators.get(a.operator)?.operand
  if (operand === "number" || operand === "percent") return Number(a.value) === Number(b.value)
  const [listOfA, listOfB] = [listOf(a), listOf(b)]
  if (listOfA === undefined || listOfB === undefined) return false
  const [textsOfA, textsOfB] = [new Set(listOfA), new Set(listOfB)]
  return textsOfA.size === textsOfB.size && [...textsOfA].every((text) => textsOfB.has(text))
}
