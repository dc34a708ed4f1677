import { EVENT_ID, type Event } from "js-yaml"
import type { Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type Reading, refuse } from "./reading.ts"
import { refuseIndentedMark } from "./strict.ts"

const empty = "The file is empty. Fill it in or remove it."
const several = "A file contains one document. Move what follows `---` to its own file."
const ended = "Remove this `...`: the document has already ended."

/** Refuses a file unless it is one non-empty document without directives. */
export function refuseDocuments(reading: Reading): void {
  const { events, source } = reading
  const [, content] = events
  const start = content === undefined ? 0 : startOf(content)
  refuseIndentedMark(reading, start)
  const lines = /^(?:(%\S*)|\.\.\.(?!\S))/m.exec(source.text.slice(0, start))
  if (content === undefined || isNothing(content)) refuse(reading, "empty-file", empty, { start: 0, end: 0 })
  else if (hasSeveral(events)) {
    refuse(reading, "several-documents", several, nextMark(source.text, start))
  } else if (lines !== null) {
    const { 0: written, 1: directive, index } = lines
    const message = `Remove the ${quoted(written)} line: flag files are YAML 1.2 without directives.`
    const span = { start: index, end: index + written.length }
    if (directive === undefined) refuse(reading, "several-documents", several, span)
    else refuse(reading, "yaml-directive", message, span)
  } else if (isEnded(events)) refuseSecondEnd(reading, start)
}

/** Whether a `...` ends the first document. */
function isEnded([document]: readonly Event[]): boolean {
  return document?.type === EVENT_ID.DOCUMENT && document.explicitEnd
}

/** One `...` may end the document; js-yaml ignores further ones, and the yaml package refuses them. */
function refuseSecondEnd(reading: Reading, contentStart: number): void {
  const { text } = reading.source
  const [, second] = [...text.slice(contentStart).matchAll(/^\.\.\.(?!\S)/gm)]
  if (second === undefined) return
  const start = contentStart + second.index
  refuse(reading, "several-documents", ended, { start, end: start + 3 })
}

function hasSeveral(events: readonly Event[]): boolean {
  for (let at = 1; at < events.length; at++) if (events[at]?.type === EVENT_ID.DOCUMENT) return true
  return false
}

/** Whether an event is the content of an empty document. */
function isNothing(event: Event): boolean {
  if (event.type !== EVENT_ID.SCALAR) return false
  return event.valueStart === -1 && event.anchorStart === -1 && event.tagStart === -1
}

/** The offset of a value, or of its anchor or tag if it is empty. */
function startOf(event: Event): number {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return Math.max(event.valueStart, event.anchorStart, event.tagStart)
    case EVENT_ID.ALIAS:
      return event.anchorStart
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start
    default:
      return 0
  }
}

/** The first `---` or `...` at the beginning of a line: it ends the document, even within a value. */
function nextMark(text: string, offset: number): Span {
  const mark = /^(?:---|\.\.\.)(?!\S)/gm
  mark.lastIndex = offset
  const start = mark.exec(text)?.index ?? offset
  return { start, end: start + 3 }
}
