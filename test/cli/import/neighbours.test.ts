import { expect, test } from "vitest"
import { neighboursOf, twinsOf } from "../../../cli/import/neighbours.ts"
import { unnamedId } from "../../../cli/import/witnesses.ts"

test.each([
  [
    "1.2.3",
    ["1.2.4", "1.2.3-rc.1", "v1.2.3", "1.2.3.0.1", "1.2.3.0", "1.2", "v1.2.4", "0.1.2.3", "2.0", " 1.2.3"],
  ],
  [
    "v1.2.3-b",
    [
      "v1.2.4-b",
      "v1.2.3-rc.1",
      "vv1.2.3-b",
      "v1.2.3.0.1",
      "v1.2.3.0-b",
      "v1.2",
      "vv1.2.4",
      "0.v1.2.3",
      "2.0",
      " v1.2.3-b",
    ],
  ],
  [
    "2024-01-02T00:00:00Z",
    [
      ...["2024-01-01T23:59:59.999Z", "2024-01-02T00:00:00.000Z", "2024-01-02T00:00:00.001Z"],
      ...["2023-01-01", "2025-01-02", "2023-01-01t00:00:00.000z", "2025-01-02t00:00:00.000z"],
      ...[" 2023-01-01T00:00:00.000Z", "2025-01-02T00:00:00.000Z "],
    ],
  ],
])("beside the operand %j, a proof tries %j", (operand, expected) => {
  expect(neighboursOf(operand)).toEqual(expected)
})

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
