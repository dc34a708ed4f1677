import type { SourceFile } from "./diagnostic.ts"

/** A position as editors count it: lines and columns from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The position of an offset. YAML 1.2.2 (5.4) ends a line with LF, CR LF or CR. */
export function positionOf(source: SourceFile, offset: number): Position {
  const starts = lineStarts(source)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}

/** A line's text, counted from 1, without its end. */
export function lineOf(source: SourceFile, line: number): string {
  const starts = lineStarts(source)
  return source.text.slice(starts[line - 1], starts[line]).replace(/[\r\n].*$/s, "")
}

/** Each file is scanned once: a hostile one may have thousands of diagnostics. */
const known = new WeakMap<SourceFile, readonly number[]>()

function lineStarts(source: SourceFile): readonly number[] {
  const before = known.get(source)
  if (before !== undefined) return before
  const { text } = source
  const starts = [0]
  if (text.includes("\r"))
    for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length)
  else for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1)
  known.set(source, starts)
  return starts
}
