import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml"
import type { Span } from "../diagnostics/diagnostic.ts"
import type { ScalarNode } from "../language/tree.ts"
import { blockHeader, emptyAfter, type Mark, skipSpaces, visibleEnd } from "./gaps.ts"
import type { Reading } from "./reading.ts"
import { refuseBlankTail, refuseItemWithin, refuseSurrogate, refuseTab, refuseTabWithin } from "./strict.ts"

/** Reads a scalar; its tag and its anchor are up to the caller. */
export function readScalar(reading: Reading, event: ScalarEvent, mark: Mark): ScalarNode {
  const place = readPlace(reading, event, mark)
  return toScalar(event, readText(reading, event), place)
}

/** The node of a scalar's text. Only unquoted text can have another type. */
export function toScalar({ style }: ScalarEvent, text: string, { start, end }: Span): ScalarNode {
  const plain = style === SCALAR_STYLE.PLAIN
  return { kind: "scalar", value: plain ? resolvePlain(text) : text, plain, start, end }
}

/** The text of a scalar, with its escapes and line ends resolved. Every string in a file passes through here. */
export function readText(reading: Reading, event: ScalarEvent): string {
  const text = getScalarValue(reading.source.text, event)
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !text.isWellFormed()) refuseSurrogate(reading, event)
  return text
}

/** The place of a scalar, including its quotes or `|`. Reading continues after it. */
export function readPlace(reading: Reading, event: ScalarEvent, mark: Mark): Span {
  const place = placeOf(reading, event, mark)
  reading.offset = place.end
  return place
}

function placeOf(reading: Reading, event: ScalarEvent, mark: Mark): Span {
  const { valueStart, valueEnd } = event
  if (valueStart === -1) return placeOfNothing(reading, event, mark)
  switch (event.style) {
    case SCALAR_STYLE.PLAIN:
      if (!event.fast) refuseWithin(reading, { start: valueStart, end: valueEnd }, mark)
      return { start: valueStart, end: valueEnd }
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return { start: valueStart - 1, end: valueEnd + 1 }
    default:
      return placeOfBlock(reading, event)
  }
}

/** Refuses what a plain scalar of several lines must not contain. */
function refuseWithin(reading: Reading, span: Span, mark: Mark): void {
  refuseTabWithin(reading, span)
  if (mark === "-") refuseItemWithin(reading, span)
}

function placeOfNothing(reading: Reading, event: ScalarEvent, mark: Mark): Span {
  const { text } = reading.source
  const behind = Math.max(event.anchorEnd, event.tagEnd)
  const at = behind === -1 ? emptyAfter(text, reading.offset, mark) : skipSpaces(text, behind)
  refuseTab(reading, at)
  return { start: at, end: at }
}

function placeOfBlock(reading: Reading, event: ScalarEvent): Span {
  const { text } = reading.source
  const start = blockHeader(text, Math.max(reading.offset, event.anchorEnd, event.tagEnd))
  const end = visibleEnd(text, start, event.valueEnd)
  refuseTab(reading, event.valueEnd - 1)
  refuseBlankTail(reading, event, { start, end })
  return { start, end }
}

/** The value of unquoted text, by the core schema (YAML 1.2.2, section 10.3.2). */
function resolvePlain(text: string): ScalarNode["value"] {
  const value = words.get(text)
  if (value !== undefined) return value
  return number.test(text) ? Number(text) : text
}

const words: ReadonlyMap<string, ScalarNode["value"]> = new Map<string, ScalarNode["value"]>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["", "+"].flatMap((sign) => [".inf", ".Inf", ".INF"].map((word) => [sign + word, Infinity] as const)),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, Number.NaN] as const),
])

const number = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/
