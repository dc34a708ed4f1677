import type { Report } from "../diagnostics/diagnostic.ts"
import { messageOf, phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { Share } from "../language/condition.ts"
import type { Flag, Rule } from "../language/flag.ts"
import { percent } from "../phrases/share-words.ts"
import { endOf } from "../reading/share.ts"

/**
 * Of shares of the same users that all begin at 0, each gets only those whom the ones before it leave: `to: 10` and then `to: 20` are
 * 10 % each. The operator `percentage` cannot say it in another way, so it is not reported.
 */
export function sharesAreAsWideAsWritten({ source, configurations }: Flag, report: Report): void {
  for (const { rules } of configurations.values()) {
    const before: { readonly rule: Rule; readonly share: Share }[] = []
    for (const rule of rules) {
      const { condition: share, item, gives, number } = rule
      if (share.kind !== "share" || item.split !== undefined) continue
      const alike = before.filter((one) => one.share.by === share.by && one.share.seed === share.seed)
      before.push({ rule, share })
      const [widest] = alike.toSorted((a, b) => b.share.to - a.share.to)
      const span = endOf(share)
      if (widest === undefined || span === undefined || share.text !== undefined) continue
      if ([...alike, { share }].some((one) => one.share.from > 0)) continue
      const { to } = widest.share
      if (!(to < share.to && share.to < 100) || sameValue(widest.rule.gives, gives)) continue
      const wider =
        to + share.to > 100
          ? []
          : phrase`; for ${[percent(share.to)]} %, also \`to: ${[percent(to + share.to)]}\``
      report.add({
        code: "shares-overlap",
        ...messageOf(
          phrase`Rule ${widest.rule.number} has the first ${[percent(to)]} of these ${[percent(share.to)]} %, so rule ${number} has ${[percent(share.to - to)]} %. If that is meant, write \`from: ${[percent(to)]}\`${wider}.`,
        ),
        source,
        span,
      })
    }
  }
}
