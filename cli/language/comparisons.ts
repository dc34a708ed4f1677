import type { Condition } from "../../sdk/evaluation/condition.ts"
import { parseTexts } from "../../sdk/evaluation/text-lists.ts"
import { listOperators, operatorOf, operatorThatAsks } from "./operators.ts"

// Comparisons as they are sent: what Flagstone reads in them, and those that it makes itself.

/** Whether an operator asks that an attribute is there (true) or missing (false); `undefined` if it asks more or less. */
export function presenceAsked(onWire: string): boolean | undefined {
  const question = operatorOf(onWire)?.question
  return question?.kind === "presence" ? question.isPresent : undefined
}

/** The texts in a comparison's list, which is sent as JSON in a string; `undefined` if its operand is no list. */
export function listOf({ operator, value }: Condition): readonly string[] | undefined {
  return listOperators.includes(operatorOf(operator)?.name ?? "") ? parseTexts(value) : undefined
}

/** The texts that a comparison is about: those in its list, or the one that is its operand. */
export function textsOf(condition: Condition): readonly string[] {
  return listOf(condition) ?? [condition.value]
}

/** The operator of a share from 0 by the flag's key. A file's `share` and each share of its `split` are read as it. */
export const shareOperator = operatorThatAsks({ kind: "share", isSeeded: false })

/** The attribute is in a share by a seed, in percent. */
export function isInShare(
  attribute: string,
  { seed, from, to }: { readonly seed: string; readonly from: number; readonly to: number },
): Condition {
  const operator = operatorThatAsks({ kind: "share", isSeeded: true })
  return { attribute, operator, value: JSON.stringify({ seed, from, to }) }
}
