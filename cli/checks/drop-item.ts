import type { Edit, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { hasAnchors } from "../reading/hints/quote.ts"

/**
 * The edit that removes an item other than the first from its list. `undefined` if it would also remove a comment or
 * leave one to the next item, or if the text around the item has an unusual layout.
 */
export function dropping(item: Span, source: SourceFile): Edit | undefined {
  const { text } = source
  if (hasAnchors(source)) return undefined
  const end = item.start + text.slice(item.start, item.end).trimEnd().length
  const lineStart = text.lastIndexOf("\n", item.start - 1) + 1
  const dash = /^[ ]*- +$/.test(text.slice(lineStart, item.start))
  const comma = /,\s*$/.exec(text.slice(0, item.start))
  const cut = dash ? { start: lineStart, end: lineEnd(text, end) } : comma && { start: comma.index, end }
  if (cut === null || cut === undefined) return undefined
  const dropped = text.slice(cut.start, cut.end)
  if (dropped.includes("#")) return undefined
  if (dash && text.slice(end, cut.end).trim() !== "") return undefined
  if (dash && /^\s*#/.test(lineBefore(text, lineStart))) return undefined
  return { ...cut, text: "" }
}

/** The line before the one that begins at the offset, with its end. */
function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 2) + 1, offset)
}

/** Where the next line begins. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end + 1
}
