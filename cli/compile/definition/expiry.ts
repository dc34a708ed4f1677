import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { ScalarNode } from "../yaml/tree.ts"

/** What is said of an `expires` that is no date. */
export function expiryRule(written: Pick<ScalarNode, "start" | "end">, source: SourceFile): string {
  const text = source.text.slice(written.start, written.end)
  return `\`expires\` must be an RFC 3339 date, such as 2027-03-01, not ${quoted(text)}.`
}
