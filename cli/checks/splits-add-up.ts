import type { Split } from "../language/flag.ts"
import { type MappingNode, memberOf } from "../language/tree.ts"
import { everyone } from "../reading/share.ts"
import type { Check } from "./check.ts"

/** The shares of a split are numbers of at most three decimals that add up to at most 100, and each has its own value. */
export const splitsAddUp: Check = ({ source, configurations }, _project, report) => {
  const check = (node: MappingNode, { nameSpan, arms }: Split) => {
    const value = memberOf(node, "returnValue")
    if (value !== undefined)
      report.add({
        code: "bad-split",
        message: "Each share of a split has its own `returnValue`. Remove this one, or move it into a share.",
        source,
        span: value.nameSpan,
        related: [{ message: "`split` is here.", location: { source, span: nameSpan } }],
      })
    let sum = 0
    for (const { share, thousandths } of arms) {
      if (share?.value.kind !== "scalar" || typeof share.value.value !== "number") return // the shape is wrong
      if (thousandths === undefined) {
        const message = "A share must be a number above 0 and at most 100, with at most three decimals."
        report.add({ code: "bad-split", message, source, span: share.value })
        return
      }
      sum += thousandths
      if (sum <= everyone) continue
      const total = arms.reduce((all, arm) => all + (arm.thousandths ?? 0), 0) / 1_000
      const message = `The shares add up to ${total} %. Reduce one of them.`
      report.add({ code: "bad-split", message, source, span: share.value })
      return
    }
  }
  for (const { items } of configurations.values())
    for (const { node, split } of items) if (split !== undefined) check(node, split)
}
