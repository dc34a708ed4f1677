import type { Finding, SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { ScalarNode } from "../../language/tree.ts"
import { dayAdvice, dayMeant, unixMoment } from "./operand-fault.ts"
import { hasAnchors } from "./quote.ts"

/** The message about an `expires` that is not a date, with the fix if it is a date in another form. */
export function badExpiry({ start, end }: Pick<ScalarNode, "start" | "end">, source: SourceFile): Finding {
  const text = source.text.slice(start, end)
  const unquoted = text.replace(/^(["'])(.*)\1$/, "$2")
  const meant = dayMeant(unquoted) ?? unixMoment(unquoted)?.slice(0, 10)
  const advice = meant === undefined ? dayAdvice(unquoted) : `. Write ${meant}`
  return {
    code: "bad-expiry",
    message: `\`expires\` must be an RFC 3339 date, such as 2027-03-01, not ${quoted(text)}${advice}.`,
    source,
    span: { start, end },
    fix: meant === undefined || hasAnchors(source) ? undefined : { start, end, text: meant },
  }
}
