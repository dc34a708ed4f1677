import { type DocumentEvent, EVENT_ID, type Event, type PopEvent } from "js-yaml"
import type { Code } from "../diagnostics/codes.ts"
import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import type { Node } from "../language/tree.ts"

/** The state of reading one file: how far it got, and what it found on the way. */
export interface Reading {
  readonly source: SourceFile
  readonly events: readonly Event[]
  readonly report: Report
  /** Which event is read next. */
  next: number
  /** Where in the text the last value ended. */
  offset: number
  readonly anchors: Anchor[]
  /** The last anchor with each name. */
  readonly anchorOf: Map<string, Anchor>
  /** How many values have been read; those behind an alias count at each use. */
  size: number
  /** A value's meaning is in doubt and has been reported, so the file has no tree. */
  isRefused: boolean
  /** Set inside a value that is refused as a whole, whose parts are not reported. */
  isMuted: boolean
}

/** A name for a value, until a different value takes it. */
export interface Anchor {
  readonly name: string
  readonly span: Span
  isUsed: boolean
  /** The value, and its size with everything in it; `undefined` while it is being read. */
  target: { readonly node: Node; readonly size: number } | undefined
}

/** Starts after the first document's start event. */
export function startReading(source: SourceFile, events: readonly Event[], report: Report): Reading {
  const progress = { next: 1, offset: 0, size: 0, isRefused: false, isMuted: false }
  return { source, events, report, anchors: [], anchorOf: new Map(), ...progress }
}

/** Takes the event of the next value. There always is one, because every collection has an end event. */
export function takeEvent(reading: Reading): Exclude<Event, DocumentEvent | PopEvent> {
  return reading.events[reading.next++] as Exclude<Event, DocumentEvent | PopEvent>
}

/** Takes the end event of a collection, and returns whether there was one. */
export function takeEnd(reading: Reading): boolean {
  if (reading.events[reading.next]?.type !== EVENT_ID.POP) return false
  reading.next++
  return true
}

/** Another place in the file that a mistake involves, and a sentence about it. */
export interface OtherPlace {
  readonly message: string
  readonly span: Span
}

/** Reports that a value's meaning is in doubt. */
export function refuse(reading: Reading, code: Code, message: string, span: Span, other?: OtherPlace): void {
  reading.isRefused = true
  warn(reading, code, message, span, other)
}

/** Reports something that leaves the meaning clear. */
export function warn(reading: Reading, code: Code, message: string, span: Span, other?: OtherPlace): void {
  const { source, report, isMuted } = reading
  if (isMuted) return
  const related = other && [{ message: other.message, location: { source, span: other.span } }]
  report.add({ code, message, source, span, ...(related && { related }) })
}

/** Reads without reporting anything. */
export function readMuted<T>(reading: Reading, read: () => T): T {
  const before = reading.isMuted
  reading.isMuted = true
  const result = read()
  reading.isMuted = before
  return result
}
