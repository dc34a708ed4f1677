import { CHOMPING_MODE, type ScalarEvent } from "js-yaml"
import type { Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { besideThis, wrongColumn } from "./indentation.ts"
import { type Reading, refuse } from "./reading.ts"
import { carriageReturn, notPart, tabAsIndent } from "./sentences.ts"

// js-yaml accepts some text that YAML forbids, and reads some differently from the yaml package, which editors and
// formatters use. No author writes either on purpose, so Flagstone refuses both.

const indentedMark = "`---` must start its line. Remove the space before it."
const byteOrderMark = "There is an invisible byte order mark (U+FEFF) here. Remove it."

/** Refuses characters that end or begin a line for only some readers of YAML. */
export function refuseCharacters(reading: Reading): void {
  const { text } = reading.source
  if (!text.includes("\r") && !text.includes("\ufeff")) return // many times faster than a regular expression
  const found = /\r(?!\n)|^[ \t]*\ufeff/m.exec(text)
  if (found === null) return
  const end = found.index + found[0].length
  const message = found[0] === "\r" ? carriageReturn : byteOrderMark
  refuse(reading, "syntax", message, { start: end - 1, end })
}

/** Refuses spaces and tabs before the `---` that begins a document. */
export function refuseIndentedMark(reading: Reading, contentStart: number): void {
  const mark = /^([ \t]+)---(?!\S)/m.exec(reading.source.text.slice(0, contentStart))
  if (mark?.[1] === undefined) return
  refuse(reading, "syntax", indentedMark, { start: mark.index, end: mark.index + mark[1].length })
}

/** Refuses a block collection or a member that begins on the line where the value before it ends. */
export function refuseSameLine(reading: Reading, offset: number, place: Span): void {
  const { text } = reading.source
  for (let at = offset; at < place.start; at++) if (text[at] === "\n") return
  refuse(reading, "syntax", notPart, { start: place.start, end: place.end })
}

/** Refuses a tab in the indentation of the next line that has more than a comment. */
export function refuseTab(reading: Reading, offset: number): void {
  const toTab = /(?:[ \t]*(?:#[^\n]*)?\r?\n)+ *\t/y
  toTab.lastIndex = offset
  if (!toTab.test(reading.source.text)) return
  const end = toTab.lastIndex
  refuse(reading, "syntax", tabAsIndent, { start: end - 1, end })
}

/** Refuses a tab on a blank line inside unquoted text. */
export function refuseTabWithin(reading: Reading, { start, end }: Span): void {
  const tab = /\n\t[ \t]*\r?\n/.exec(reading.source.text.slice(start, end))
  if (tab === null) return
  const at = start + tab.index + 1
  refuse(reading, "syntax", tabAsIndent, { start: at, end: at + 1 })
}

/** Refuses a deeper `- ` below a list item that is plain text: YAML reads it as more of that text. */
export function refuseItemWithin(reading: Reading, { start, end }: Span): void {
  const { text } = reading.source
  const [before = ""] = /[^\n]*$/.exec(text.slice(Math.max(0, start - 200), start)) ?? []
  const dash = /^ *(?=- +$)/.exec(before)
  const item = /\n( *)-(?= )/.exec(text.slice(start, end))
  if (dash === null || item === null) return
  const column = dash[0].length
  const at = start + item.index + item[0].length - 1
  const first = start - before.length + column
  const message = wrongColumn(item[1]?.length ?? 0, column)
  const neighbour = besideThis({ start: first, end: first + 1 })
  refuse(reading, "syntax", message, { start: at, end: at + 1 }, neighbour)
}

/** Refuses an escape for half of a character: strict readers of JSON refuse the whole snapshot (RFC 8259, 8.2). */
export function refuseSurrogate(reading: Reading, { valueStart, valueEnd }: ScalarEvent): void {
  const written = reading.source.text.slice(valueStart, valueEnd)
  const found = /\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]../.exec(written)
  const start = found === null ? valueStart - 1 : valueStart + found.index
  const end = found === null ? valueEnd + 1 : start + found[0].length
  const message = `${found === null ? "An escape in this text" : quoted(found[0])} encodes only half of a character. Write the character itself.`
  refuse(reading, "lone-surrogate", message, { start, end })
}

/** Refuses blank lines at the end of a block scalar that only one of the two packages counts as text. */
export function refuseBlankTail(reading: Reading, event: ScalarEvent, { start, end }: Span): void {
  const { indent, valueEnd, chomping } = event
  const { text } = reading.source
  const [, ...lines] = text.slice(end, valueEnd).split(/\r?\n/)
  const hasIndicator = /^.[-+]?[1-9]/.test(text.slice(start, start + 3))
  const isLong = hasIndicator && lines.some((line) => line.length > indent)
  const isCut = chomping === CHOMPING_MODE.KEEP && lines.length > 0 && lines.at(-1) !== ""
  if (!isLong && !isCut) return
  const message = "This text ends with a line of spaces. Remove the spaces."
  refuse(reading, "syntax", message, { start: valueEnd - 1, end: valueEnd })
}
