import { printable } from "./printable.ts"

/** Text for an attribute or between tags. XML 1.0 (2.2, 2.4) does not allow control characters or lone surrogates there. */
export function escapeXml(text: string): string {
  return printable(text.toWellFormed())
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
