import { expect, test } from "vitest"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { changedFlags } from "../../../sdk/openfeature/changed-flags.ts"
import { flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"

const pro = rule("equals", "plan", "pro", true)
const before = flagOf("f", "boolean", false, [pro])

function change(flag: Partial<FlagEntry["flag"]>, environment: object = {}): FlagEntry {
  return {
    flag: { ...before.flag, ...flag },
    environment: before.environment && { ...before.environment, ...environment },
  }
}

test.each<[string, readonly FlagEntry[], readonly string[]]>([
  ["nothing", [before], []],
  [
    "times",
    [change({ updatedAt: "2027-01-01T00:00:00.000Z" }, { updatedAt: "2027-01-01T00:00:00.000Z" })],
    [],
  ],
  ["ids", [change({ id: "x" }, { id: "y", rules: [{ ...pro, id: "z" }] })], []],
  ["texts for readers", [change({ name: "New", description: "Newer" })], []],
  ["its default", [change({ defaultValue: true })], ["f"]],
  ["its type", [change({ type: "json" })], ["f"]],
  ["a value", [change({}, { rules: [{ ...pro, returnValue: false }] })], ["f"]],
  ["an operand", [change({}, { rules: [{ ...pro, value: "free" }] })], ["f"]],
  ["an attribute", [change({}, { rules: [{ ...pro, attribute: "tier" }] })], ["f"]],
  ["the order of rules", [change({}, { rules: [pro, rule("exists", "vip", "", true)].reverse() })], ["f"]],
  ["disabled", [change({}, { enabled: false })], ["f"]],
  ["gone", [], ["f"]],
  ["another one was added", [flagOf("a", "boolean", true), before], ["a"]],
])("%s", (_, after, keys) => {
  expect(changedFlags({ flags: [before] }, { flags: after })).toEqual(keys)
})

test("rules of a disabled flag change nothing for anyone", () => {
  const off = change({}, { enabled: false })
  expect(changedFlags({ flags: [off] }, { flags: [change({}, { enabled: false, rules: [] })] })).toEqual([])
  expect(changedFlags({ flags: [off] }, { flags: [{ ...off, environment: null }] })).toEqual([])
})
