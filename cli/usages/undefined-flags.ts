import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { suggest } from "../diagnostics/suggest.ts"

/**
 * The end of a call's name, and its first argument or the one after Go's context, where that is a quoted key. Go also has
 * `client.Boolean(ctx, "key", false, …)`.
 */
const calls =
  /(?:[vV]alue|[dD]etails|Flag|(?<=\.)(?:Boolean|String|Int|Float|Object)(?=\(\w{0,40}[cC](?:tx|ontext)\b))(?:_?[aA]sync)?(?:<[^<>()\n]{1,80}>)?\(\s{0,80}(?:(?:flag_?)?[kK]ey\s?[:=]\s?|[\w.]{0,40}(?:ctx|[cC]ontext)[\w.]{0,40}(?:\(\))?,\s?)?(["'`])([A-Za-z0-9][A-Za-z0-9._/-]{0,199})\1/g

/**
 * OpenFeature's names for these calls, with the receiver: `client.getBooleanValue`, `get_string_details`,
 * `BooleanValue`, `useFlag`.
 */
const names =
  /(?<receiver>[\w$]{0,40}(?:\(\))?[?!]?(?:\.|->|::))?\b(?:(?:get_?|fetch_?|use)?(?:bool(?:ean)?|string|number|int(?:eger)?|float|double|object|struct)_?(?:flag_?|value_?|evaluation_?)?(?:value|details|flag)(?:_?async)?|use(?:Suspense)?Flag|Boolean|String|Int|Float|Object)$/i

/**
 * Other libraries also have a `getStringValue`, so the file or the receiver must mention flags, or the file must ask
 * for a defined one.
 */
const fileAboutFlags = /open[-_. ]?feature|flagstone/i
const receiverAboutFlags = /flag|feature/i

/** A call that asks for a flag that no file defines. */
export interface UndefinedFlag {
  readonly key: string
  readonly source: SourceFile
  /** Where the key is, without its quotes. */
  readonly start: number
  readonly end: number
  /** The defined key that is probably meant. */
  readonly suggestion: string | undefined
}

/** Finds calls for keys that no flag has; each returns its own default. */
export function undefinedFlagsIn(source: SourceFile, keys: ReadonlySet<string>): readonly UndefinedFlag[] {
  const found: { readonly key: string; readonly end: number; readonly receiver: string }[] = []
  let asksForDefined = false
  for (const match of source.text.matchAll(calls)) {
    const [call, quote = "", key = ""] = match
    const nameEnd = match.index + call.search(/\W/)
    const name = names.exec(source.text.slice(Math.max(0, nameEnd - 100), nameEnd))
    if (name === null) continue
    const end = match.index + call.length - quote.length
    if (keys.has(key)) asksForDefined = true
    else found.push({ key, end, receiver: name.groups?.receiver ?? "" })
  }
  return found
    .filter(
      ({ receiver }) =>
        asksForDefined || receiverAboutFlags.test(receiver) || fileAboutFlags.test(source.text),
    )
    .map(({ key, end }) => ({
      key,
      source,
      start: end - key.length,
      end,
      suggestion: suggest(key, [...keys]),
    }))
}
