import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { refuseUnseen, seen, unseenIn } from "../../../cli/yaml/odd-characters.ts"

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

test("others that no one sees are named, and replaced by what was meant", () => {
  const others = [..."\u2007\u202f\u3000\u00ad\u200c\u2060"].map((character) => `a${character}b`)
  expect(others.map((text) => [unseenIn(text), seen(text)])).toEqual([
    ["a figure space (U+2007)", "a b"],
    ["a narrow non-breaking space (U+202F)", "a b"],
    ["an ideographic space (U+3000)", "a b"],
    ["a soft hyphen (U+00AD)", "ab"],
    ["a zero-width non-joiner (U+200C)", "ab"],
    ["a word joiner (U+2060)", "ab"],
  ])
})

test("behind a joiner that stays, others are found", () => {
  expect(unseenIn("می\u200cخ\u00a0a")).toBe("a non-breaking space (U+00A0)")
  expect(seen("می\u200cخ\u00a0a\u200bb")).toBe("می\u200cخ ab")
})

test.each([
  ["in indentation", "a:\n\u00a0 b: 1\n", [3, 5], "a:\n  b: 1\n"],
  ["behind a name", "a:\u00a01\n", [2, 3], "a: 1\n"],
  ["behind a dash", "- \u200ba: 1\n", [2, 3], "- a: 1\n"],
  ["alone on a line", "a: 1\n\u3000\nb: 2\n", [5, 6], "a: 1\n \nb: 2\n"],
  ["at the end of a line with CR", "a:\u00a0\r\n  b: 1\n", [2, 3], "a: \r\n  b: 1\n"],
  ["twice", "a:\u00a01\nb:\u00a02\n", [2, 3], "a: 1\nb: 2\n"],
])("%s, they are a mistake with a fix", (_, text, [start, end], fixed) => {
  const report = createReport()
  expect(refuseUnseen({ path: "/x.yaml", text }, report)).toBe(true)
  const [{ location, fix, message } = {}] = report.diagnostics
  expect(location?.span).toEqual({ start, end })
  const { start: from = 0, end: to = 0, text: written } = fix ?? {}
  expect(`${text.slice(0, from)}${written}${text.slice(to)}`).toBe(fixed)
  expect(message?.includes("There are 2 of these.")).toBe(_ === "twice")
})

test.each(["a: x\u00a0y\n", "# \u00a0\na: 1\n", "a: 1\n"])("%j has none of them in its structure", (text) => {
  const report = createReport()
  expect(refuseUnseen({ path: "/x.yaml", text }, report)).toBe(false)
  expect(report.diagnostics).toEqual([])
})
