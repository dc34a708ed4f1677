import type { OperatorName } from "../../sdk/evaluation/operators.ts"
import { presenceAsked } from "./comparisons.ts"
import { findOperator, operators, operatorThatAsks } from "./operators.ts"
import type { Order } from "./question.ts"

/**
 * The operator that compares by an order as this one compares numbers or, for versions, as it compares texts; `undefined`
 * if there is none.
 */
export function inOrder(name: string, order: Order): OperatorName | undefined {
  const { question, negates } = operators.get(name) ?? {}
  if (question?.kind === "bound" && question.order === "number") {
    const { kind, isUpper, isInclusive } = question
    return operatorThatAsks({ kind, order, isUpper, isInclusive })
  }
  if (order !== "version" || question?.kind !== "texts" || question.isList) return undefined
  return operatorThatAsks({ kind: "version", isOther: negates !== undefined })
}

/** The operator that compares a list as this one compares one text; `undefined` if there is none. */
export function listTwin(name: string): OperatorName | undefined {
  const { question, negates } = operators.get(name) ?? {}
  if (question?.kind !== "texts" || question.isList) return undefined
  return findOperator({ kind: "texts", isList: true }, negates !== undefined)
}

/** The operator that asks for the opposite: that an attribute is missing, or that it is there; `undefined` for any other. */
export function presenceTwin(name: string): OperatorName | undefined {
  const isPresent = presenceAsked(name)
  return isPresent === undefined ? undefined : operatorThatAsks({ kind: "presence", isPresent: !isPresent })
}

/**
 * The operator that matches exactly those values that this one does not; `undefined` if this one is no negation and no
 * bound. They differ where the attribute is missing or of a different kind.
 */
export function oppositeOf(name: string): OperatorName | undefined {
  const { question, negates } = operators.get(name) ?? {}
  if (question?.kind === "version" && question.isOther)
    return operatorThatAsks({ kind: "version", isOther: false })
  if (question?.kind !== "bound") return negates
  const { kind, order, isUpper, isInclusive } = question
  return operatorThatAsks({ kind, order, isUpper: !isUpper, isInclusive: !isInclusive })
}
