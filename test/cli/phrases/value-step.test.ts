import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { changeWords, listStep, longValueWords, valueStep } from "../../../cli/phrases/value-step.ts"
import type { Json } from "../../../sdk/contract/snapshot.ts"

const long = "-".repeat(150)
const end = long.slice(-20)
const key = `fsk_${"0".repeat(49)}`

describe("a changed value", () => {
  test.each<readonly [Json, Json, string]>([
    [1, 2, "`1` → `2`"],
    ["a", { a: 1 }, '`"a"` → `{"a":1}`'],
    [[1], { a: 1 }, '`[1]` → `{"a":1}`'],
    [{ colour: "red", size: 1 }, { colour: "blue", size: 1 }, '`colour` `"red"` → `"blue"`'],
    [{ a: { b: [1, 2, 3] } }, { a: { b: [1, 5, 3] } }, "`a.b[1]` `2` → `5`"],
    [{ a: [1, 2, 3] }, { a: [1, 3] }, "`a[1]` `2` removed"],
    [{ a: [1, 3] }, { a: [0, 1, 2, 3] }, "`a[0]` `1` → `0`, `a[1]` `1` added, `a[2]` `2` added"],
    [{ a: 1 }, { b: null }, "`a` `1` removed, `b` `null` added"],
    [{ "a b": 1, "": { c: 1 } }, { "a b": 2, "": { c: 2 } }, '`["a b"]` `1` → `2`, `[""].c` `1` → `2`'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, "`a[0].b` `1` → `2`"],
    [[1, 2], [1, 2, 1, 2], "`[2]` `1` added, `[3]` `2` added"],
    [{ a: { b: 1 } }, { a: null }, '`a` `{"b":1}` → `null`'],
    [
      [1, 2, 3, 4, 5, 6],
      [],
      "`[0]` `1` removed, `[1]` `2` removed, `[2]` `3` removed, `[3]` `4` removed, `[4]` `5` removed, and 1 more",
    ],
    [`${long}b`, `${long}c`, `\`…${end}b"\` → \`…${end}c"\``],
    [long, `${long}${long}`, `\`…${end}"\` → \`…${end}${"-".repeat(99)}…\``],
    [{ x: `${long}b` }, { x: `${long}c` }, `\`x\` \`…${end}b"\` → \`…${end}c"\``],
    [`${long}${key}b`, `${long}${key}c`, `\`…${"*".repeat(20)}b"\` → \`…${"*".repeat(20)}c"\``],
  ])("%j → %j: %s", (before, after, words) => expect(plainPhrase(valueStep(before, after))).toBe(words))

  test("names each leaf that differs, and no other", () => {
    const names = fc.constantFrom("a", "b", "c")
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, 1, "x"),
        fc.dictionary(names, tie("value"), { maxKeys: 3 }),
        fc.array(tie("value"), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(value, value, (before, after) => {
        const words = plainPhrase(valueStep({ same: before, other: before }, { same: before, other: after }))
        expect(words).not.toContain("same")
        expect(words === "").toBe(JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)))
      }),
      { numRuns: 500 },
    )
  })
})

/** With members in one order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

test.each<readonly [readonly string[], readonly string[], string]>([
  [["DE"], ["DE", "FR"], "`FR` added"],
  [["DE", "FR"], ["DE"], "`FR` removed"],
  [["DE"], ["FR"], "`FR` added, `DE` removed"],
  [["DE", "FR"], ["FR", "DE"], "in a different order"],
  [["DE", "FR", "DE"], ["DE", "FR"], "with fewer repetitions"],
  [["DE", "FR"], ["DE", "FR", "FR"], "with more repetitions"],
])("the list %j → %j: %s", (before, after, words) => expect(plainPhrase(listStep(before, after))).toBe(words))

test.each<readonly [Json, Json, string]>([
  [
    { max: 1, old: true, note: "what most of those who buy for a company choose" },
    { max: 2, note: "what most of those who buy for a company choose", new: 1 },
    "`max` `2`, was `1`; no `old`, was `true`; `new` `1`, was none",
  ],
  [
    { max: 1, note: "x".repeat(41) },
    { max: 2, note: "x".repeat(41) },
    `\`{"max":2,"note":"${"x".repeat(41)}"}\` instead of \`{"max":1,"note":"${"x".repeat(41)}"}\``,
  ],
  [{ note: "x".repeat(60) }, { max: 2 }, `\`{"max":2}\` instead of \`{"note":"${"x".repeat(60)}"}\``],
  [
    { max: 1 },
    { max: 2, note: "y".repeat(60) },
    `\`{"max":2,"note":"${"y".repeat(60)}"}\` instead of \`{"max":1}\``,
  ],
  [
    [1, 2, 3, 4, 5, 6, "x".repeat(60)],
    [2, 3, 4, 5, 6, 7, "x".repeat(60)],
    "`[0]` `2`, was `1`; `[1]` `3`, was `2`; `[2]` `4`, was `3`; `[3]` `5`, was `4`; `[4]` `6`, was `5`; and 1 more",
  ],
  [
    ["x".repeat(60)],
    { a: "x".repeat(60) },
    `\`{"a":"${"x".repeat(60)}"}\` instead of \`["${"x".repeat(60)}"]\``,
  ],
])("a change from %j to %j: %s", (before, after, words) =>
  expect(plainPhrase(longValueWords(before, after) ?? changeWords(before, after))).toBe(words),
)
