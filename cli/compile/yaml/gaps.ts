// js-yaml's events say where texts are, and where collections begin. What lies between two events is blank space,
// comments and the marks `: - ? , ] }`; these functions find in it what the events leave out.

/** What stands before a value; where the value is empty, that is all there is. */
export type Mark = "---" | ":" | "-" | "?"

/** The first character after blank space and comments. */
export function skipBlank(text: string, offset: number): number {
  let at = offset
  for (;;) {
    const next = text[at]
    if (next === "#") at = lineEnd(text, at)
    else if (next === " " || next === "\n" || next === "\r" || next === "\t" || next === byteOrderMark) at++
    else return at
  }
}

/** Where an empty value stands: behind its mark and the spaces that follow; `offset` where there is no mark. */
export function emptyAfter(text: string, offset: number, mark: Mark): number {
  const at = skipBlank(text, offset)
  return text.startsWith(mark, at) ? skipSpaces(text, at + mark.length) : offset
}

/** The first character that is no space, or the line's end. */
export function skipSpaces(text: string, offset: number): number {
  let at = offset
  while (text[at] === " " || text[at] === "\t") at++
  return at
}

/** Where the `|` or `>` of a block scalar stands. */
export function blockHeader(text: string, offset: number): number {
  let at = skipBlank(text, offset)
  while (at < text.length && text[at] !== "|" && text[at] !== ">") at = skipBlank(text, at + 1)
  return at
}

/** Behind the bracket that ends a flow collection whose last value ends at `offset`. */
export function flowEnd(text: string, offset: number, bracket: "]" | "}"): number {
  let at = skipBlank(text, offset)
  while (at < text.length && text[at] !== bracket) at = skipBlank(text, at + 1)
  return at + 1
}

/** The end of a block scalar without the blank that closes it. */
export function visibleEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && /[ \t\r\n]/.test(text[at - 1] ?? "")) at--
  return at
}

function lineEnd(text: string, offset: number): number {
  let at = offset
  while (at < text.length && text[at] !== "\n" && text[at] !== "\r") at++
  return at
}

const byteOrderMark = "\ufeff"
