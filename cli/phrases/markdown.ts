import { type Phrase, shown, visible } from "../diagnostics/phrase.ts"
import { printable } from "../diagnostics/printable.ts"

/** A phrase in Markdown: our words as text, each untrusted text as code. */
export function markdown(parts: Phrase): string {
  return parts.reduce((text: string, part) => {
    if (typeof part === "string") return text + part.replace(/[\\*_<>[\]|~]/g, "\\$&")
    // Two adjacent code spans would become one.
    return `${text}${text.endsWith("`") ? " " : ""}${marked(shown(part))}`
  }, "")
}

/** A code span, cut short: nothing in it is Markdown or HTML, and none reads like the marker of a comment. */
export function code(text: string): string {
  return marked(visible(text))
}

/** The same for a text that is needed whole. */
export function wholeCode(text: string): string {
  return marked(printable(text))
}

function marked(line: string): string {
  return codeSpan(line.replaceAll("<!--", "<! --"))
}

/** A line of text as a Markdown code span. Its fence is longer than any in the text, so nothing ends it. */
export function codeSpan(text: string): string {
  if (text.trim() === "") return `\`"${text}"\``
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = "`".repeat(longest + 1)
  return /^[` ]|[` ]$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

/** A row of a table. A pipe after a backslash would still end the cell, so it is written as an escape. */
export function tableRow(cells: readonly string[]): string {
  const written = cells.map((cell) => cell.replace(/(?<=\\)\|/g, "\\u007c").replaceAll("|", "\\|"))
  return `| ${written.join(" | ")} |`
}
