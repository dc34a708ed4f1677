import { expect, test, vi } from "vitest"
import type { PreparedFlag } from "../../../proxy/evaluate/prepared-flag.ts"
import { runToEnd } from "../../../proxy/evaluate/run-to-end.ts"
import { createSelections } from "../../../proxy/evaluate/selections.ts"

test("the flags of the lists that were used last are kept, as many as there is room for", () => {
  const flag: PreparedFlag = {
    compiled: { rules: [], otherwise: { kind: "unknownFlag", key: "" } },
    isStatic: true,
    isFloat: false,
    digest: "",
    work: { fixed: 1, perByte: 0 },
    longest: { fixed: 0, perByte: 0 },
  }
  const keys = Array.from({ length: 10 }, (_, at) => `a${at}`)
  const select = createSelections(new Map(keys.map((key) => [key, flag])), 25)
  const tests = vi.spyOn(RegExp.prototype, "test")
  const [a, b, c] = [select(["*"]), select(["a*"]), select(["a?"])]
  const costs = [a, b, a, c, a, b, a, c].map((selection) => {
    tests.mockClear()
    const shown = runToEnd(selection.all())
    return [shown.length, tests.mock.calls.length]
  })
  tests.mockRestore()
  expect(costs).toEqual([10, 10, 0, 10, 0, 10, 0, 10].map((tests) => [10, tests]))
})
