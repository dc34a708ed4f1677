import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { type Group, isRamp, type Ramp } from "../language/condition.ts"
import { conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"
import { stagesOf } from "../reading/ramp.ts"
import { endOf, endsOf } from "../reading/share.ts"

/**
 * Other tools write a tenth as 0.1. A share below 1 %, or a ramp that ends at 1 % or below, is meant if its `from` is written; a
 * split is suspicious if its shares add up to 1.
 */
export function percentagesAreNoFractions(file: WithConditions, report: Report): void {
  const { source } = file
  for (const share of conditionsIn(file)) {
    if (isRamp(share)) reportRamp(share, source, report)
    if (share.kind !== "share" || !(share.to > 0 && share.to < 1)) continue
    if (Math.round(share.to * 1_000) / 1_000 !== share.to) continue // as only the operator `percentage` allows
    const [{ by, to, seed }, span] = [share, endOf(share)]
    if (span === undefined || endsOf(share.at?.value).from !== undefined) continue
    const meant = yamlLine({ by, from: 0, to, ...(seed !== undefined && { seed }) })
    const message = `${to} % is one user in ${Math.round(100 / to)}. If you mean ${Number((to * 100).toPrecision(3))} %, write that; otherwise write \`share: ${meant}\`.`
    report.add({ code: "fraction-as-percentage", message, source, span })
  }
  if (!("configurations" in file)) return
  for (const { items } of file.configurations.values())
    for (const { split } of items) {
      const sum = split?.arms.reduce((all, { thousandths = 0 }) => all + thousandths, 0)
      const [first, second] = split?.arms ?? []
      if (sum !== 1_000 || first?.share === undefined || second === undefined) continue
      const message =
        "These shares add up to 1 % of users. If you mean all users, write percentages that add up to 100; otherwise write shares of 100, and `share` beside `split`."
      report.add({ code: "fraction-as-percentage", message, source, span: first.share.value })
    }
}

function reportRamp({ at, ramp }: Group & { readonly ramp: Ramp }, source: SourceFile, report: Report): void {
  const last = ramp.stages.at(-1)?.share ?? 0
  const span = stagesOf(at?.value).at(-1)?.share
  if (!(last > 0 && last <= 1) || span === undefined || endsOf(at?.value).from !== undefined) return
  const message = `This ramp ends at ${last} %, one user in ${Math.round(100 / last)}. If you mean ${Number((last * 100).toPrecision(3))} %, write that; otherwise also write \`from: 0\`.`
  report.add({ code: "fraction-as-percentage", message, source, span })
}
