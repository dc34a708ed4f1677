import { expect, test } from "vitest"
import { parseSnapshot } from "../../../sdk/contract/snapshot.ts"
import { flagEntry, shop } from "../../proxy/fixtures.ts"

test("a snapshot of this version, and one whose entries have more members", () => {
  expect(parseSnapshot(JSON.stringify({ flags: shop }))).toEqual({ kind: "valid", value: { flags: shop } })
  expect(parseSnapshot('{"flags":[]}').kind).toBe("valid")
  const newer = shop.map((entry) => ({ ...entry, flag: { ...entry.flag, type: "date", archived: false } }))
  expect(parseSnapshot(JSON.stringify({ flags: newer })).kind).toBe("valid")
})

const entry = flagEntry("dark.mode", 1)
test.each<[string, unknown]>([
  ["null", null],
  ["a list", []],
  ["no flags", {}],
  ["flags and more", { flags: [], next: 1 }],
  ["flags in an object", { flags: {} }],
  ["an entry that is null", { flags: [null] }],
  ["an entry without environment", { flags: [{ flag: entry.flag }] }],
  ["an entry with a third member", { flags: [{ ...entry, more: 1 }] }],
  [
    "a flag without defaultValue",
    { flags: [{ ...entry, flag: { ...entry.flag, defaultValue: undefined } }] },
  ],
  ["a flag whose key is a number", { flags: [{ ...entry, flag: { ...entry.flag, key: 1 } }] }],
  ["an environment that is false", { flags: [{ ...entry, environment: false }] }],
  ["rules in an object", { flags: [{ ...entry, environment: { ...entry.environment, rules: {} } }] }],
  [
    "a rule whose value is a list",
    { flags: [{ ...entry, environment: { ...entry.environment, rules: [{ value: [] }] } }] },
  ],
  ["one key twice", { flags: [entry, entry] }],
  ["keys out of order", { flags: [flagEntry("b"), flagEntry("a")] }],
  ["keys not in code-unit order", { flags: [flagEntry("a"), flagEntry("B")] }],
])("%s is refused", (_, document) => {
  expect(parseSnapshot(JSON.stringify(document)).kind).toBe("invalid")
})

test("text that is not JSON is refused", () => {
  expect(parseSnapshot('{"flags":[')).toEqual({ kind: "invalid", reason: "it is not JSON" })
})
