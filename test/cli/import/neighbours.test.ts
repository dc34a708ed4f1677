import { expect, test } from "vitest"
import { neighboursOf, twinsOf, withTyped } from "../../../cli/import/neighbours.ts"
import { unnamedId } from "../../../cli/import/witnesses.ts"

test.each([
  ["Pro", ["Prox", "xPro", "PRO", "pro", " Pro", "Pro "]],
  ["", ["x", "x", "", "", " ", " "]],
  ["5", [5, 6, 4, 5.5, "6", "4", "+6", "+4", " 4", "6 ", " 5", "+5"]],
  ["-5", [-5, -4, -6, -4.5, "-4", "-6", "+4", "+6", " -6", "-4 ", " -5", "+-5"]],
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
  [5, []],
  [true, []],
])("beside the operand %j, a proof tries %j", (operand, expected) => {
  expect(neighboursOf(operand)).toEqual(expected)
})

test.each([
  ["5", [5, "5.0.0"]],
  [" 5 ", ["5", 5, "5.0.0"]],
  ["true", [true]],
  ["false", [false]],
  ["x", []],
  ["", [undefined]],
  [5, ["5", undefined]],
  [true, ["true", undefined]],
  [["5"], ["5", 5, "5.0.0", undefined]],
  [{ id: 5 }, [5, "5", undefined, undefined]],
  ["2024-01-02", ["2024-01-02T00:00:00.000Z", "2024.0.0"]],
  ["v1.2", ["1.2.0"]],
  ["1.2.3+b", ["1.2.3"]],
  [null, []],
])("%j may stand for %j", (value, twins) => {
  expect(twinsOf(value)).toEqual(twins)
})

test("a context has the values that its strings mean, if they mean any", () => {
  expect(withTyped({ a: "5", b: "true", c: "x", d: " ", e: 1 })).toEqual([
    { a: "5", b: "true", c: "x", d: " ", e: 1 },
    { a: 5, b: true, c: "x", d: " ", e: 1 },
  ])
  expect(withTyped({ a: "x" })).toEqual([{ a: "x" }])
})

const is = (operator: string, value: string, attribute = "key") => ({ attribute, operator, value })
test.each([
  [[], "user-1"],
  [[is("equals", "user-1")], "1x"],
  [[is("equals", "USER-1"), is("equals", "1x")], "q1"],
  [[is("equals", "user-1", "id")], "user-1"],
  [[is("startsWith", "user"), is("endsWith", "x")], "q1"],
  [[is("equals", "user-1"), is("equals", "1x"), is("equals", "q1")], "user-2"],
  [[is("contains", "1")], "user-2"],
  [[is("contains", "user-123")], "user-1"],
])("an id that the comparisons %j do not name is %s", (comparisons, id) => {
  expect(unnamedId("key", comparisons)).toBe(id)
})
