import { expect, test } from "vitest"
import { parseFlagEntry, parseSnapshot } from "../../../sdk/contract/snapshot.ts"
import { flagEntry, shop } from "../../proxy/fixtures.ts"

test("a snapshot of this version, and one whose entries have more members", () => {
  expect(parseSnapshot(JSON.stringify({ flags: shop }))).toEqual({ kind: "valid", value: { flags: shop } })
  expect(parseSnapshot('{"flags":[]}').kind).toBe("valid")
  const newer = shop.map((entry) => ({ ...entry, flag: { ...entry.flag, type: "date", archived: false } }))
  expect(parseSnapshot(JSON.stringify({ flags: newer })).kind).toBe("valid")
})

const entry = flagEntry("dark.mode", 1)
test("text that is not JSON is refused", () => {
  expect(parseSnapshot('{"flags":[')).toEqual({ kind: "invalid", reason: "it is not JSON" })
})

const { flag, environment } = entry
const [rule] = environment?.rules ?? []
const members = (of: object | null | undefined) => Object.keys(of ?? {}).map((member) => [member] as const)
const reasonOf = (second: unknown) => {
  const parsed = parseSnapshot(JSON.stringify({ flags: [flagEntry("a"), second] }))
  return parsed.kind === "invalid" ? parsed.reason : undefined
}
const wrong = (member: string) => [
  { [member]: undefined },
  ...(member === "defaultValue" || member === "returnValue" ? [] : [{ [member]: 7 }]),
]

const amiss = (path: string) => `flags[1] is not a flag entry: ${path} is missing or of a different type`

test.each(members(flag))("a flag needs a %s of its kind", (member) => {
  for (const change of wrong(member))
    expect(reasonOf({ ...entry, flag: { ...flag, ...change } })).toBe(amiss(`flag.${member}`))
})

test.each(members(environment))("a configuration needs %s of its kind", (member) => {
  for (const change of wrong(member))
    expect(reasonOf({ ...entry, environment: { ...environment, ...change } })).toBe(
      amiss(`environment.${member}`),
    )
})

test.each(members(rule))("a rule needs a %s of its kind, and so does the second", (member) => {
  for (const change of wrong(member)) {
    const rules = [rule, { ...rule, ...change }]
    expect(reasonOf({ ...entry, environment: { ...environment, rules } })).toBe(
      amiss(`environment.rules[1].${member}`),
    )
  }
})

test("what is no object is named, too", () => {
  expect(reasonOf({ ...entry, flag: null })).toBe(amiss("flag"))
  expect(reasonOf({ ...entry, environment: false })).toBe(amiss("environment"))
  expect(reasonOf({ ...entry, environment: { ...environment, rules: [[]] } })).toBe(
    amiss("environment.rules[0]"),
  )
  expect(reasonOf({ ...entry, more: 1 })).toBe("flags[1] is not a flag entry")
})

test("an entry alone is read as in its document, and the reason names its place", () => {
  const read = (text: string, previous?: string) => parseFlagEntry(text, 3, previous)
  expect(read(JSON.stringify(entry), "a")).toEqual({ kind: "valid", value: entry })
  expect(read(JSON.stringify(entry))).toMatchObject({ kind: "valid" })
  const after = { kind: "invalid", reason: "flags[3] is out of order or has a duplicate key" }
  expect(read(JSON.stringify(entry), "dark.mode")).toEqual(after)
  expect(read(JSON.stringify(entry), "e")).toEqual(after)
  expect(read("{}")).toEqual({ kind: "invalid", reason: "flags[3] is not a flag entry" })
  expect(read("{")).toEqual({ kind: "invalid", reason: "flags[3] is not JSON" })
  expect(parseSnapshot("[]")).toEqual({
    kind: "invalid",
    reason: "it is not an object with a list `flags` as its only member",
  })
})
