import { attributeOf, operatorIn } from "../language/condition.ts"
import { inOrder } from "../language/related-operators.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** An attribute whose name ends in `version` is compared as one if the operand has a point. Without one, both agree. */
export const versionsAreNoNumbers: ComparisonCheck = ({ source, condition, value, text }, report) => {
  if (!/version$/i.test(attributeOf(condition)) || !/^\d+\.\d+$/.test(text)) return
  report.add({
    code: "version-as-number",
    message: `As numbers, 4.9 is greater than 4.12, and 4.12.1 is not a number. If this is a version, write \`${inOrder(operatorIn(condition), "version")}\`.`,
    source,
    span: value,
  })
}
