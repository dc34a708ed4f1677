import type { Parsed } from "./parsed.ts"

/** Where an element of `flags` stands in its document: from `start` up to, not including, `end`, in bytes. */
export interface EntrySlice {
  readonly start: number
  readonly end: number
}

/**
 * The places of the elements of `{"flags":[…]}`, found in one pass over the bytes, so that single-flag answers can be
 * parts of the document's own memory. The bytes must be JSON already: this reads no more of the grammar than brackets
 * and strings. UTF-8 needs no decoding for it, because no byte of a longer character is an ASCII one. Invalid when
 * the document has another shape or spells `flags` with escapes.
 */
export function findEntrySlices(json: Uint8Array): Parsed<readonly EntrySlice[]> {
  const slices: EntrySlice[] = []
  let at = skipPunctuation(json, 0, "{")
  if (at >= 0) at = skipPunctuation(json, at, '"flags"')
  if (at >= 0) at = skipPunctuation(json, at, ":")
  if (at >= 0) at = skipPunctuation(json, at, "[")
  if (at < 0) return { kind: "invalid", reason: 'it does not begin with {"flags":[' }

  at = skipSpace(json, at)
  while (at < json.length && json[at] !== closeBracket) {
    const end = endOfValue(json, at)
    if (end === at) return { kind: "invalid", reason: "one of its flags is nothing" }
    slices.push({ start: at, end: trimSpace(json, end) })
    at = skipSpace(json, json[end] === comma ? end + 1 : end)
  }

  at = skipPunctuation(json, at, "]")
  if (at >= 0) at = skipPunctuation(json, at, "}")
  if (at < 0 || skipSpace(json, at) !== json.length)
    return { kind: "invalid", reason: "something stands behind its flags" }
  return { kind: "valid", value: slices }
}

/** Past `expected`, which may have space before it; -1 when something else is there. */
function skipPunctuation(json: Uint8Array, from: number, expected: string): number {
  const start = skipSpace(json, from)
  for (let offset = 0; offset < expected.length; offset++)
    if (json[start + offset] !== expected.charCodeAt(offset)) return -1
  return start + expected.length
}

/** The first comma or closing bracket that is not inside the value that begins at `from`. */
function endOfValue(json: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at)
        break
      case openBrace:
      case openBracket:
        depth++
        break
      case closeBrace:
      case closeBracket:
        if (depth === 0) return at
        depth--
        break
      case comma:
        if (depth === 0) return at
        break
    }
  }
  return json.length
}

/** The closing quote of the string that opens at `from`. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

function skipSpace(json: Uint8Array, from: number): number {
  let at = from
  while (isSpace(json[at])) at++
  return at
}

function trimSpace(json: Uint8Array, end: number): number {
  let at = end
  while (isSpace(json[at - 1])) at--
  return at
}

/** RFC 8259, section 2: space, tab, line feed, carriage return, and nothing else. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
