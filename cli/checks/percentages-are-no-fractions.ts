import { attributeOf } from "../language/condition.ts"
import { inFlowStyle } from "../reading/hints/quote.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** Other tools write a tenth as 0.1. The number of a share or a split, which has no quotes, is not checked. */
export const percentagesAreNoFractions: ComparisonCheck = ({ source, condition, value, text }, report) => {
  const isQuoted = /["']/.test(source.text.charAt(value.start))
  if (!isQuoted || !/^0\.\d{1,3}$/.test(text) || Number(text) === 0) return
  const percent = String(Number((Number(text) * 100).toPrecision(3)))
  report.add({
    code: "fraction-as-percentage",
    message: `This is ${text} % of users. If you mean ${percent} %, write "${percent}"; otherwise write \`share: ${inFlowStyle({ by: attributeOf(condition), to: Number(text) })}\`.`,
    source,
    span: value,
  })
}
