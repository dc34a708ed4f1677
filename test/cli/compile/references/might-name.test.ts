import { expect, test } from "vitest"
import { mightName } from "../../../../cli/compile/references/might-name.ts"

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
