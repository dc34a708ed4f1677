import type { Parsed } from "../../sdk/contract/parsed.ts"

/** Where an element of `flags` is in its document, in bytes: from `start` up to, but not including, `end`. */
export interface EntrySlice {
  readonly start: number
  readonly end: number
}

/**
 * Finds the elements of `{"flags":[…]}` in one pass over the bytes, so that single-flag answers can be parts of the
 * document's memory. It reads only brackets and strings: a document is JSON if it is valid here and each of its slices
 * is JSON. UTF-8 need not be decoded, because no byte of a longer character is ASCII. Invalid if the document has a
 * different shape or spells `flags` with escapes. `json` reads a single byte.
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
  let mayEnd = true // not after a comma
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
    return { kind: "invalid", reason: "it has members other than `flags`" }
  return { kind: "valid", value: slices }
}

/** The byte at an offset; `undefined` outside the document. */
export type ByteAt = (at: number) => number | undefined

/** Returns the offset after `expected` and any space before it; -1 if something else is there. */
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
