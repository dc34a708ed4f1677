import { CHOMPING_MODE, type ScalarEvent } from "js-yaml"
import type { Span } from "../../diagnostics/diagnostic.ts"
import { type Reading, refuse } from "./reading.ts"

// js-yaml accepts some texts that YAML does not allow, or that the yaml package, which editors and formatters use, reads
// otherwise. Nobody means them, and they are refused.

const tabAsIndent = "A tab cannot indent in YAML. Use spaces."
const carriageReturn = "This carriage return does not end a line. Remove it."
const byteOrderMark = "An invisible byte order mark (U+FEFF) stands here. Remove it."
const notPart = "This does not belong to the value before it. Check quotes and indentation."

/** Refuses a character that readers of YAML disagree about, wherever it stands. */
export function refuseCharacters(reading: Reading): void {
  if (!/[\r\t\ufeff]/.test(reading.source.text)) return
  const found = /\r(?!\n)|^[ \t]*\ufeff|^[ \t]*\t(?=[ \t]*---)/m.exec(reading.source.text)
  if (found === null) return
  const end = found.index + found[0].length
  const character = found[0].at(-1)
  const message = character === "\r" ? carriageReturn : character === "\t" ? tabAsIndent : byteOrderMark
  refuse(reading, "syntax", message, { start: end - 1, end })
}

/** Refuses a block collection or a member that stands on the line where the value before it ends. */
export function refuseSameLine(reading: Reading, offset: number, place: Span): void {
  const lineEnd = reading.source.text.indexOf("\n", offset)
  if (lineEnd !== -1 && lineEnd < place.start) return
  refuse(reading, "syntax", notPart, { start: place.start, end: place.end })
}

/** Refuses a tab at the beginning of the next line that holds more than a comment. */
export function refuseTab(reading: Reading, offset: number): void {
  const toTab = /(?:[ \t]*(?:#[^\n]*)?\r?\n)+ *\t/y
  toTab.lastIndex = offset
  if (!toTab.test(reading.source.text)) return
  const end = toTab.lastIndex
  refuse(reading, "syntax", tabAsIndent, { start: end - 1, end })
}

/** Refuses a tab on a blank line within a text without quotes. */
export function refuseTabWithin(reading: Reading, { start, end }: Span): void {
  const tab = /\n\t[ \t]*\r?\n/.exec(reading.source.text.slice(start, end))
  if (tab === null) return
  const at = start + tab.index + 1
  refuse(reading, "syntax", tabAsIndent, { start: at, end: at + 1 })
}

/** Refuses blank last lines of a block scalar that are part of its text for one reader and not for the other. */
export function refuseBlankTail(reading: Reading, event: ScalarEvent, { start, end }: Span): void {
  const { indent, valueEnd, chomping } = event
  const { text } = reading.source
  const [, ...lines] = text.slice(end, valueEnd).split(/\r?\n/)
  const hasIndicator = /^.[-+]?[1-9]/.test(text.slice(start, start + 3))
  const isLong = hasIndicator && lines.some((line) => line.length > indent)
  const isCut = chomping === CHOMPING_MODE.KEEP && lines.length > 0 && lines.at(-1) !== ""
  if (!isLong && !isCut) return
  const message = "This text ends in a line of spaces. Remove the spaces."
  refuse(reading, "syntax", message, { start: valueEnd - 1, end: valueEnd })
}
