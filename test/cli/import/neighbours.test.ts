import { expect, test } from "vitest"
import { twinsOf } from "../../../cli/import/neighbours.ts"
import { unnamedId } from "../../../cli/import/witnesses.ts"

test.each([
  ["true", [true]],
  ["false", [false]],
])("%j may stand for %j", (value, twins) => {
  expect(twinsOf(value)).toEqual(twins)
})

test.each([
  ["user-1", []],
  ["1x", [["id", "equals", "USER-1"]]],
  [
    "2x",
    [
      ["id", "in", '["user-2", "ser-"]'],
      ["id", "startsWith", "1"],
    ],
  ],
  ["user-1", [["plan", "equals", "user-1"]]],
])("%s is an id that no rule about ids names", (expected, comparisons) => {
  const all = comparisons.map(([attribute = "", operator = "", value = ""]) => ({
    attribute,
    operator,
    value,
  }))
  expect(unnamedId("id", all)).toBe(expected)
})
