import type { Report } from "../diagnostics/diagnostic.ts"
import { attributeOf, type Share } from "../language/condition.ts"
import { conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"
import { inFlowStyle } from "../reading/hints/quote.ts"
import { endsOf } from "../reading/share.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** Other tools write a tenth as 0.1. */
export const percentagesAreNoFractions: ComparisonCheck = ({ source, condition, value, text }, report) => {
  const isQuoted = /["']/.test(source.text.charAt(value.start))
  if (!isQuoted || !/^0\.\d{1,3}$/.test(text) || Number(text) === 0) return
  const percent = percentMeant(Number(text))
  report.add({
    code: "fraction-as-percentage",
    message: `This is ${text} % of users. If you mean ${percent} %, write "${percent}"; otherwise write \`share: ${inFlowStyle({ by: attributeOf(condition), from: 0, to: Number(text) })}\`.`,
    source,
    span: value,
  })
}

/** The same for shares, unless `from: 0` shows that they are meant, and for splits that add up to 1. */
export function sharesAreNoFractions(file: WithConditions, report: Report): void {
  for (const condition of conditionsIn(file))
    if (condition.kind === "share") checkShare(condition, file, report)
  if (!("configurations" in file)) return
  for (const { items } of file.configurations.values())
    for (const { split } of items) {
      const sum = split?.arms.reduce((all, { thousandths = 0 }) => all + thousandths, 0)
      const [first, second] = split?.arms ?? []
      if (sum !== 1_000 || first?.share === undefined || second === undefined) continue
      report.add({
        code: "fraction-as-percentage",
        message:
          "These shares add up to 1 % of users. If you mean all users, write percentages that add up to 100; otherwise write shares of 100, and `share` beside `split`.",
        source: file.source,
        span: first.share.value,
      })
    }
}

function checkShare({ to, at }: Share, { source }: WithConditions, report: Report): void {
  const ends = endsOf(at?.value)
  if (ends.from !== undefined || ends.to === undefined || !(to > 0 && to < 1)) return
  report.add({
    code: "fraction-as-percentage",
    message: `${to} % is one user in ${Math.round(100 / to)}. If you mean ${percentMeant(to)} %, write \`to: ${percentMeant(to)}\`; otherwise write \`from: 0\` beside it.`,
    source,
    span: ends.to,
  })
}

function percentMeant(fraction: number): number {
  return Number((fraction * 100).toPrecision(3))
}
