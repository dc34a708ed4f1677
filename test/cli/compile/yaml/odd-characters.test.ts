import { expect, test } from "vitest"
import { seen, unseenIn } from "../../../../cli/compile/yaml/odd-characters.ts"

test.each([
  ["a family of one emoji", "👩\u200d👩\u200d👧"],
  ["a Persian word", "می\u200cخواهم"],
])("%s keeps the joiners that spell it", (_, text) => {
  expect(unseenIn(text)).toBeUndefined()
  expect(seen(text)).toBe(text)
})

test("a joiner beside ASCII is named and removed", () => {
  expect(unseenIn("ab\u200dc")).toBe("a zero-width joiner (U+200D)")
  expect(seen("ab\u200dc\u200bd\u00a0e")).toBe("abcd e")
})
