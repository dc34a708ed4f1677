/** A place as editors count it: lines and columns from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Where an offset lies. YAML 1.2.2 (5.4) ends a line with LF, CR LF or CR. */
export function positionOf(text: string, offset: number): Position {
  let line = 1
  let lineStart = 0
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
      line++
      lineStart = at + 1
    }
  }
  return { line, column: offset - lineStart + 1 }
}

/** The text's lines without their ends. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/)
}
