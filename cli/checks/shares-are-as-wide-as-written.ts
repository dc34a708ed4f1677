import type { Report } from "../diagnostics/diagnostic.ts"
import { messageOf, phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { Flag, Rule } from "../language/flag.ts"
import { percent } from "../phrases/share-words.ts"
import { endOf } from "../reading/share.ts"

/** Of two shares of the same users that both begin at 0, the second has only those whom the first leaves: `10` and `20` are no 30 %. */
export function sharesAreAsWideAsWritten({ source, configurations }: Flag, report: Report): void {
  for (const { rules } of configurations.values()) {
    const before: Rule[] = []
    for (const rule of rules) {
      const { condition: share, item, gives, number } = rule
      if (share.kind !== "share" || share.from > 0 || item.split !== undefined) continue
      const span = endOf(share)
      const first = before.findLast(
        ({ condition }) =>
          condition.kind === "share" && condition.by === share.by && condition.seed === share.seed,
      )
      before.push(rule)
      if (first?.condition.kind !== "share" || span === undefined) continue
      const { to } = first.condition
      if (!(to < share.to && share.to < 100) || sameValue(first.gives, gives)) continue
      const wider =
        to + share.to > 100
          ? []
          : phrase`; for ${[percent(share.to)]} %, also \`to: ${[percent(to + share.to)]}\``
      report.add({
        code: "shares-overlap",
        ...messageOf(
          phrase`Rule ${first.number} has the first ${[percent(to)]} of these ${[percent(share.to)]} %, so rule ${number} has ${[percent(share.to - to)]} %. If that is meant, write \`from: ${[percent(to)]}\`${wider}.`,
        ),
        source,
        span,
      })
    }
  }
}
