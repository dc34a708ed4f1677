import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { suggest } from "../diagnostics/suggest.ts"

/**
 * The end of a call's name, and its first argument or the one after Go's context, where that is a quoted key. Go also has
 * `client.Boolean(ctx, "key", false, …)`.
 */
const calls =
  /(?:[vV]alue|[dD]etails|Flag|(?<=\.)(?:Boolean|String|Int|Float|Object)(?=\(\w{0,40}[cC](?:tx|ontext)\b))(?:_?[aA]sync)?(?:<[^<>()\n]{1,80}>)?\(\s{0,80}(?:(?:flag_?)?[kK]ey\s?[:=]\s?|[\w.]{0,40}(?:ctx|[cC]ontext)[\w.]{0,40}(?:\(\))?,\s?)?(["'`])([A-Za-z0-9][A-Za-z0-9._/-]{0,199})\1/g

/**
 * OpenFeature's names up to there: `client.getBooleanValue`, `get_string_details`, `BooleanValue`, `useFlag`, with what
 * they are called on.
 */
const names =
  /(?<receiver>[\w$]{0,40}(?:\(\))?[?!]?(?:\.|->|::))?\b(?:(?:get_?|fetch_?|use)?(?:bool(?:ean)?|string|number|int(?:eger)?|float|double|object|struct)_?(?:flag_?|value_?|evaluation_?)?(?:value|details|flag)(?:_?async)?|use(?:Suspense)?Flag|Boolean|String|Int|Float|Object)$/i

/** Other libraries have a `getStringValue`, too, so the file or the receiver must name what it is about. */
const aboutFlags = /open[-_. ]?feature|flagstone/i
/** What one of these holds, and most files do not. */
const mayBeAboutFlags = /flag|feature/i

/** Reports the keys that code asks for and no flag has. Every call gets the default of the code there. */
export function reportUndefined(source: SourceFile, keys: ReadonlySet<string>, report: Report): void {
  if (!mayBeAboutFlags.test(source.text)) return
  let isAbout: boolean | undefined
  for (const match of source.text.matchAll(calls)) {
    const [call, quote = "", key = ""] = match
    if (keys.has(key)) continue
    const nameEnd = match.index + call.search(/\W/)
    const name = names.exec(source.text.slice(Math.max(0, nameEnd - 100), nameEnd))
    if (name === null) continue
    isAbout ??= aboutFlags.test(source.text)
    if (!isAbout && !/flag|feature/i.test(name.groups?.receiver ?? "")) continue
    const end = match.index + call.length - quote.length
    const guess = suggest(key, [...keys])
    report.add({
      code: "undefined-flag",
      message: `No flag \`${key}\` is defined${guess === undefined ? ". Define it, or take the call out: every caller gets its default." : `; did you mean \`${guess}\`?`}`,
      source,
      span: { start: end - key.length, end },
    })
  }
}
