import { expect, test } from "vitest"
import { mightName } from "../../../cli/flag/might-name.ts"

test.each([
  ["it's a list.txt", "file: it's a list.txt"],
  ["it's a list.txt", "file: 'it''s a list.txt'"],
  ["it's a list.txt", "file: it's\n    a\n    list.txt"],
  ["it's a list.txt", "file: >-\r\n  it's a\r\n  list.txt"],
  ["it's a list.txt", 'file: "it\\x27s\\ a\n \\u0020list.txt"'],
  ["it's a list.txt", 'file: "it\'s a \\\n\n   list.txt"'],
  ["a\u00a0b.txt", String.raw`file: "a\_b.txt"`],
  ["a\\b.txt", String.raw`file: 'a\b.txt'`],
  ["\u{10fffd}.txt", String.raw`file: "\U0010fffd.txt"`],
  ["😀.txt", String.raw`file: "\ud83d\ude00.txt"`],
])("%j may be named by %j", (name, text) => {
  expect(mightName(text, new Set([name]))).toBe(true)
  expect(mightName(text.replaceAll("t", "u"), new Set([name]))).toBe(false)
})

test.each([
  ["segment: staff", true],
  [String.raw`segment: "st\x61ff"`, true],
  [String.raw`segment: "st\u0061f\U00000066"`, true],
  ['segment: "st\\\n    aff"', true],
  [String.raw`file: "lists\/staff"`, true],
  [String.raw`value: '^\d+\.staf'`, false],
  [String.raw`value: "\U0011ffff \\u0073"`, false],
])("whether %s may name staff", (text, named) => {
  expect(mightName(text, new Set(["staff"]))).toBe(named)
  expect(mightName(text, new Set())).toBe(false)
})
