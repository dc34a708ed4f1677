import { expect, test } from "vitest"
import { branchesOf } from "../../../cli/import/branches.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"

const is = (attribute: string) => ({ attribute, operator: "equals", value: "1" })
const group = (operator: string, ...parts: readonly object[]) => ({
  ...{ attribute: "", operator, value: JSON.stringify(parts) },
})
const entryOf = (...rules: readonly object[]) =>
  ({
    flag: { key: "f", type: "boolean", defaultValue: false },
    environment: { enabled: true, rules: rules.map((rule) => ({ ...rule, returnValue: true })) },
  }) as unknown as FlagEntry

/** The contexts of a, b and c, as their letters, for which the last rule of a branch holds. */
async function reached(entry: FlagEntry): Promise<string> {
  const evaluator = await compileEntries([entry])
  const all = ["", "a", "b", "c", "ab", "ac", "bc", "abc"]
  const holds = (names: string) =>
    evaluator.evaluate(entry.flag.key, Object.fromEntries([...names].map((name) => [name, "1"])))
  return all.filter((names) => JSON.stringify(holds(names)).includes('"value":true')).join(" ")
}

test.each([
  [is("a"), []],
  [group("all", is("a"), is("b")), []],
  [group("any", is("a"), is("b")), ["a ac", "b bc"]],
  [group("any", is("a"), is("b"), is("c")), ["a", "b", "c"]],
  [group("none", is("a"), is("b")), []],
  [group("all", is("c"), group("any", is("a"), is("b"))), ["ac", "bc"]],
  [group("none", group("all", is("a"), is("b"))), ["b bc", "a ac"]],
])("the ways to satisfy %j alone", async (rule, ways) => {
  expect(await Promise.all(branchesOf(entryOf(rule)).map(reached))).toEqual(ways)
})

test("a branch has the rules before it, and at most twenty are made", async () => {
  const choice = group("any", is("a"), is("b"))
  const found = branchesOf(entryOf(is("x"), choice, is("y"), choice))
  expect(found.map(({ environment }) => environment?.rules.length)).toEqual([2, 2, 4, 4])
  const many = group("any", ...Array.from({ length: 21 }, (_, at) => is(`a${at}`)))
  expect(branchesOf(entryOf(many))).toHaveLength(20)
})
