import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { ScalarNode } from "../yaml/tree.ts"

/** The message for an `expires` that is not a date. */
export function expiryRule(written: Pick<ScalarNode, "start" | "end">, source: SourceFile): string {
  const text = source.text.slice(written.start, written.end)
  return `\`expires\` must be an RFC 3339 date, such as 2027-03-01, not ${quoted(text)}.`
}
