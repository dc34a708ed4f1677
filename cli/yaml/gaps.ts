// js-yaml's events give the offsets of scalars and of the starts of collections. Between these are only blank space,
// comments and the marks `: - ? , ] }`. These functions find the offsets that the events omit.

/** The mark before a value, even an empty one. */
export type Mark = "---" | ":" | "-" | "?"

/** The offset of the first character after blank space and comments. */
export function skipBlank(text: string, offset: number): number {
  let at = offset
  for (;;) {
    const next = text[at]
    if (next === "#") at = lineEnd(text, at)
    else if (next === " " || next === "\n" || next === "\r" || next === "\t" || next === byteOrderMark) at++
    else return at
  }
}

/** The offset of an empty value: after its mark and the spaces that follow; `offset` if there is no mark. */
export function emptyAfter(text: string, offset: number, mark: Mark): number {
  const at = skipBlank(text, offset)
  return text.startsWith(mark, at) ? skipSpaces(text, at + mark.length) : offset
}

/** The offset of the first character after spaces and tabs. */
export function skipSpaces(text: string, offset: number): number {
  let at = offset
  while (text[at] === " " || text[at] === "\t") at++
  return at
}

/** The offset of a block scalar's `|` or `>`. */
export function blockHeader(text: string, offset: number): number {
  let at = skipBlank(text, offset)
  while (at < text.length && text[at] !== "|" && text[at] !== ">") at = skipBlank(text, at + 1)
  return at
}

/** The end of a flow collection, after its bracket. Its last value ends at `offset`. */
export function flowEnd(text: string, offset: number, bracket: "]" | "}"): number {
  let at = skipBlank(text, offset)
  while (at < text.length && text[at] !== bracket) at = skipBlank(text, at + 1)
  return at + 1
}

/** The end of a block scalar without its trailing blank space. */
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
