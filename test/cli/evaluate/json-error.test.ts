import fc from "fast-check"
import { expect, test } from "vitest"
import { findJsonError } from "../../../cli/evaluate/json-error.ts"

test.each([
  ['{"a":1,x}', 7],
  ['{"a" 1}', 5],
  ['{"a":01}', 5],
  ['{"a":tru}', 5],
  ["{'a':1}", 1],
  ['{"a":1', 6],
  ['{"a":[1,]}', 8],
  ['{"a":1}}', 7],
  ['{"a":"b', 7],
  ['{"a":"b\\x"}', 7],
  ['{"a":"b\n"}', 7],
  ["", 0],
  ["{:1}", 1],
  [" x", 1],
  [" [ 1 , { } ] ", undefined],
  [`${"[".repeat(1000)}1${"]".repeat(1000)}`, undefined],
  [`${"[".repeat(1001)}1${"]".repeat(1001)}`, 1001],
])("%s stops being JSON at %s", (text, offset) => expect(findJsonError(text)).toBe(offset))

test("it finds an error exactly where JSON.parse finds one", () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom("", '"', "}", ",", "0", "\\", "-", "\u0001"))
  fc.assert(
    fc.property(damaged, ([json, at, by]) => {
      const place = at % (json.length + 1)
      const text = json.slice(0, place) + by + json.slice(place + 1)
      expect(findJsonError(json)).toBeUndefined()
      expect(findJsonError(text) === undefined).toBe(parses(text))
    }),
  )
})

test.each([
  ["", `["${"x".repeat(16e6)}"`],
  [" with escapes", `["${"\\n".repeat(8e6)}"`],
  [" of emoji", `["${"😀".repeat(8e6)}"`],
])("a string as long as a context may be%s", (_, text) => expect(findJsonError(text)).toBe(text.length))
