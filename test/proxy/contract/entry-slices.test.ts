// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { findEntrySlices } from "../../../proxy/contract/entry-slices.ts"
import { anyText } from "../../any-text.ts"
import { runs } from "../../runs.ts"

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 })
const nasty = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', "\\", "[", "]", "{", "}", ",", ":", "é", "🏁", "\u0000"),
    maxLength: 8,
  }),
  anyText(),
)
const json = fc.jsonValue({ stringUnit: "binary" })
const element = fc.oneof(json, nasty, fc.dictionary(nasty, fc.oneof(nasty, json)))

/** JSON with any space wherever the grammar has room for it, and any character escaped that may be. */
function spaced(value: unknown, next: () => string, escaped: boolean): string {
  const text = (string: string): string =>
    escaped
      ? `"${[...string].map((char) => [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")).join("")}"`
      : JSON.stringify(string)
  if (typeof value === "string") return text(value)
  if (Array.isArray(value))
    return `[${next()}${value.map((item) => spaced(item, next, escaped)).join(`${next()},${next()}`)}${next()}]`
  if (typeof value === "object" && value !== null)
    return `{${next()}${Object.entries(value)
      .map(([name, item]) => `${text(name)}${next()}:${next()}${spaced(item, next, escaped)}`)
      .join(`${next()},${next()}`)}${next()}}`
  return JSON.stringify(value)
}

test("each slice parses to its element, however the document is written", () => {
  fc.assert(
    fc.property(fc.array(element), fc.infiniteStream(space), fc.boolean(), (flags, spaces, escaped) => {
      const next = (): string => spaces.next().value ?? ""
      const items = flags.map((flag) => spaced(flag, next, escaped)).join(`${next()},${next()}`)
      const document = `${next()}{${next()}"flags"${next()}:${next()}[${next()}${items}${next()}]${next()}}${next()}`
      const bytes = Buffer.from(document)
      const parsed = JSON.parse(bytes.toString())
      const slices = findEntrySlices(bytes)
      if (slices.kind === "invalid") throw new Error(slices.reason)
      const found = slices.value.map(({ start, end }) => bytes.subarray(start, end).toString())
      expect(found.map((text) => JSON.parse(text))).toEqual(parsed.flags)
      for (const text of found) expect(text).toBe(text.trim())
    }),
  )
})

test("a document is JSON exactly if it has slices and all of them are JSON", () => {
  const part = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    " ",
    "1",
    '"a":1',
    "null",
    '{"a":[1,2]}',
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 6 }),
      fc.constantFrom("]}", "]}\n", "}", "]", ""),
      (parts, end) => {
        const text = `{"flags":[${parts.join("")}${end}`
        const slices = findEntrySlices(Buffer.from(text))
        const isWhole =
          slices.kind === "valid" && slices.value.every(({ start, end }) => isJson(text.slice(start, end)))
        expect(isWhole).toBe(isJson(text) && text.endsWith(end) && hasFlagsAlone(text))
      },
    ),
    { numRuns: runs(5_000) },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Not a second member behind the list. */
function hasFlagsAlone(text: string): boolean {
  return Array.isArray(JSON.parse(text).flags) && Object.keys(JSON.parse(text)).length === 1
}

test.each([
  "",
  "[]",
  "{}",
  '{"flags":{}}',
  '{"\\u0066lags":[]}',
  '{"other":1,"flags":[]}',
  '{"flags":[],"other":1}',
  '{"flags":[]}}',
  '{"flags":[1}',
  '{"flags":[1,]}',
  '{"flags":[,1]}',
  '{"flags":["]}',
  '{"flags":[{"a":[}',
])("%s is refused", (text) => {
  expect(findEntrySlices(Buffer.from(text)).kind).toBe("invalid")
})
