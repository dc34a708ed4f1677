import type { Parsed } from "./parsed.ts"

/** The place of an element of `flags` in its document: from `start` up to, not including, `end`, in bytes. */
export interface EntrySlice {
  readonly start: number
  readonly end: number
}

/**
 * The places of the elements of `{"flags":[…]}`, found in one pass over the bytes, so that single-flag answers can be
 * parts of the document's own memory. This reads only the brackets and strings of the grammar: a document is JSON when it
 * is valid here and each of its slices is JSON. UTF-8 needs no decoding for it, because no byte of a longer character is
 * an ASCII one. Invalid when the document has another shape or spells `flags` with escapes. `json` reads a single byte.
 */
export function findEntrySlices(
  bytes: Uint8Array,
  json: ByteAt = (at) => bytes[at],
): Parsed<readonly EntrySlice[]> {
  const slices: EntrySlice[] = []
  let at = skipPunctuation(json, 0, "{")
  if (at >= 0) at = skipPunctuation(json, at, '"flags"')
  if (at >= 0) at = skipPunctuation(json, at, ":")
  if (at >= 0) at = skipPunctuation(json, at, "[")
  if (at < 0) return { kind: "invalid", reason: 'it does not begin with {"flags":[' }

  at = skipSpace(json, at)
  let mayEnd = true // not behind a comma
  while (at < bytes.length && !(mayEnd && json(at) === closeBracket)) {
    const end = endOfValue(json, at)
    if (end === at) return { kind: "invalid", reason: "one of its flags is empty" }
    slices.push({ start: at, end: trimSpace(json, end) })
    mayEnd = json(end) !== comma
    at = skipSpace(json, mayEnd ? end : end + 1)
  }

  at = skipPunctuation(json, at, "]")
  if (at >= 0) at = skipPunctuation(json, at, "}")
  if (at < 0 || skipSpace(json, at) !== bytes.length)
    return { kind: "invalid", reason: "it has more than its flags" }
  return { kind: "valid", value: slices }
}

/** The byte at a place; `undefined` outside the document. */
export type ByteAt = (at: number) => number | undefined

/** Past `expected`, which may have space before it; -1 when something else is there. */
function skipPunctuation(json: ByteAt, from: number, expected: string): number {
  const start = skipSpace(json, from)
  for (let offset = 0; offset < expected.length; offset++)
    if (json(start + offset) !== expected.charCodeAt(offset)) return -1
  return start + expected.length
}

/** The first comma or closing bracket that is not inside the value that begins at `from`. */
function endOfValue(json: ByteAt, from: number): number {
  let depth = 0
  for (let at = from; ; at++) {
    switch (json(at)) {
      case undefined:
        return at
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
}

/** The closing quote of the string that opens at `from`. */
function endOfString(json: ByteAt, from: number): number {
  let at = from + 1
  for (let byte = json(at); byte !== undefined && byte !== quote; byte = json(at))
    at += byte === backslash ? 2 : 1
  return at
}

function skipSpace(json: ByteAt, from: number): number {
  let at = from
  while (isSpace(json(at))) at++
  return at
}

function trimSpace(json: ByteAt, end: number): number {
  let at = end
  while (isSpace(json(at - 1))) at--
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
