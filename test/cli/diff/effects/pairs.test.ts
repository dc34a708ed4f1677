import { join } from "node:path"
import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { diffOf, sideOf } from "../sides.ts"

// Each of these lists of rules becomes each of the two that follow it. The properties check that the sentences are true; this, that
// they stay as short as they are, and in their order.

const is = (attribute: string, operator: string, value?: unknown) => ({
  attribute,
  operator,
  ...(value === undefined ? {} : { value }),
})
const gives = (condition: object, returnValue: string) => ({ ...condition, returnValue })
const [de, pro, user] = [is("country", "equals", "DE"), is("plan", "equals", "pro"), is("userId", "exists")]
const share = (to: number, rest: object = {}) => ({ share: { by: "userId", to, ...rest } })
const split = (shares: Readonly<Record<string, number>>, rest: object = {}) => ({
  ...rest,
  split: {
    by: "userId",
    into: Object.entries(shares).map(([returnValue, share]) => ({ share, returnValue })),
  },
})
const held = { none: [share(10, { seed: "holdout" })] }
const outside = is("country", "notIn", ["AT", "CH"])
const segments = {
  germans: de,
  residents: de,
  staff: is("email", "endsWith", "@acme.example"),
  tenth: share(10, { seed: "holdout" }),
}

const lists: Readonly<Record<string, readonly object[]>> = {
  nothing: [],
  everyone: [gives({ operator: "always" }, "on")],
  germans: [gives(de, "on")],
  "germans and french": [gives(is("country", "in", ["DE", "FR"]), "on")],
  "germans or pros": [gives(de, "on"), gives(pro, "on")],
  "pros, then germans": [gives(pro, "on"), gives(de, "green")],
  "german pros": [gives({ all: [de, pro] }, "on")],
  "others than germans": [gives({ none: [de] }, "on"), gives(outside, "green")],
  adults: [gives(is("age", "greaterThanOrEquals", "18"), "on")],
  "adults, then germans": [
    gives({ all: [is("age", "greaterThan", "17"), is("age", "lessThan", "65")] }, "on"),
    gives({ any: [de, is("age", "greaterThan", "70")] }, "green"),
  ],
  versions: [gives(is("version", "semverNotEquals", "2.*"), "on"), gives(is("version", "exists"), "green")],
  staff: [gives({ segment: "staff" }, "on"), gives({ none: [{ segment: "staff" }, de] }, "green")],
  "a tenth": [gives(share(10), "on")],
  "three tenths": [gives(share(30), "on")],
  "three tenths of germans": [gives({ all: [de, share(30)] }, "on")],
  "three tenths by a seed": [gives(share(30, { seed: "s" }), "on")],
  "two tenths, held": [gives({ all: [held, share(20)] }, "on"), gives(user, "green")],
  halves: [split({ green: 50, blue: 50 })],
  fifths: [split({ green: 20, blue: 40 })],
  "fifths of germans": [split({ green: 20, blue: 40 }, de), gives(pro, "blue")],
  "a holdout, then halves": [gives(share(10, { seed: "holdout" }), "off"), split({ green: 50, blue: 50 })],
  "halves of those not held": [split({ green: 50, blue: 50 }, { none: [{ segment: "tenth" }] })],
  "an expression": [gives(is("email", "matches", "^a"), "on"), gives(de, "green")],
  tags: [gives({ all: [is("tags", "equals", "a"), is("tags", "notEquals", "b")] }, "on")],
}

function sentencesOf(before: readonly object[], after: readonly object[]): readonly string[] {
  const side = (rules: readonly object[]) =>
    sideOf(
      { f: { type: "string", defaultValue: "off", environments: { production: { enabled: true, rules } } } },
      undefined,
      segments,
    )
  const { changes } = diffOf(side(before), side(after))
  return [...new Set(changes.flatMap(({ effects }) => effects.map(({ who }) => `  ${plainPhrase(who)}\n`)))]
}

type Edit = readonly [before: readonly object[], after: readonly object[]]

const all = (...parts: readonly object[]) => ({ all: parts })
const none = (...parts: readonly object[]) => ({ none: parts })
const any = (...parts: readonly object[]) => ({ any: parts })
const by = (seed: string, to: number, from?: number) => share(to, { seed, ...(from && { from }) })
const [letters, tag] = [is("x", "in", ["DE", "FR"]), is("tags", "equals", "a")]
const others = [1, 2, 3, 4].map((at) => is(`b${at}`, "equals", "x"))

/** Edits that come down to few users, or to others than those whom a rule names. */
const edits: Readonly<Record<string, Edit>> = {
  "two segments that mean the same": [
    [],
    [
      gives(all({ segment: "germans" }, is("x", "equals", "1")), "on"),
      gives(all({ segment: "residents" }, is("x", "equals", "2")), "on"),
    ],
  ],
  "a segment twice": [
    [],
    [
      gives(all({ segment: "germans" }, is("x", "equals", "1")), "on"),
      gives(all({ segment: "germans" }, is("x", "equals", "2")), "on"),
    ],
  ],
  "a beginning below its texts": [
    [gives(letters, "blue")],
    [gives(letters, "blue"), gives(is("x", "startsWith", "D"), "on")],
  ],
  "a beginning and its texts": [[], [gives(letters, "blue"), gives(is("x", "startsWith", "D"), "on")]],
  "four alternatives below a group": [
    [],
    [gives(all(de, pro), "blue"), gives(any(de, ...others.slice(1)), "on")],
  ],
  "five alternatives below a group": [[], [gives(all(de, pro), "blue"), gives(any(de, ...others), "on")]],
  "five alternatives below a group that was there": [
    [gives(all(de, pro), "blue")],
    [gives(all(de, pro), "blue"), gives(any(de, ...others), "on")],
  ],
  "a range around a range": [
    [],
    [
      gives(all(is("n", "greaterThan", "5"), is("n", "lessThan", "9")), "blue"),
      gives(is("n", "greaterThan", "2"), "on"),
    ],
  ],
  "a list around a group": [
    [],
    [gives(all(de, pro), "blue"), gives(is("country", "in", ["DE", "FR", "CH"]), "on")],
  ],
  "rules that change places": [
    [gives(de, "blue"), gives(pro, "on")],
    [gives(pro, "on"), gives(de, "blue")],
  ],
  "a bound instead of an exclusion": [
    [gives(none(is("n", "lessThan", "5")), "on")],
    [gives(is("n", "greaterThan", "7"), "on")],
  ],
  "a holdout goes": [
    [gives(by("h", 10), "off"), gives(share(20), "on"), gives(by("s", 50), "green")],
    [gives(share(20), "on"), gives(by("s", 50), "green")],
  ],
  "a holdout comes": [
    [gives(by("a", 50), "green"), gives(by("b", 50), "blue"), gives(share(50), "on")],
    [
      gives(by("h", 10), "off"),
      gives(by("a", 50), "green"),
      gives(by("b", 50), "blue"),
      gives(share(50), "on"),
    ],
  ],
  "a seed for a seed": [
    [gives(by("old", 10), "blue"), gives(de, "on")],
    [gives(by("new", 10), "blue"), gives(de, "on")],
  ],
  "an arm for an arm": [
    [gives(by("old", 10), "blue"), gives(by("old", 30, 10), "green"), gives(de, "on")],
    [gives(by("old", 20), "blue"), gives(by("old", 30, 20), "green"), gives(de, "on")],
  ],
  "one share of two groups": [
    [gives(all(by("a", 50), de), "blue"), gives(all(by("a", 50), pro), "green")],
    [gives(all(by("a", 60), de), "blue"), gives(all(by("a", 60), pro), "green")],
  ],
  "a share beside a segment of a share": [
    [gives({ segment: "tenth" }, "off"), gives(share(40), "on")],
    [gives({ segment: "tenth" }, "off"), gives(share(60), "on")],
  ],
  "a share below listed users": [
    [gives(is("userId", "in", ["1", "2"]), "blue"), gives(share(40), "on")],
    [gives(is("userId", "in", ["1", "2", "3"]), "blue"), gives(share(60), "on")],
  ],
  "a text of a list": [
    [gives(tag, "blue")],
    [gives(all(tag, is("tags", "notEquals", "b")), "blue"), gives(is("tags", "equals", "b"), "green")],
  ],
  "a share above all who have the attribute": [
    [gives(share(50), "green"), gives(user, "blue")],
    [gives(share(30), "green"), gives(user, "blue")],
  ],
  "a share of fewer users": [
    [gives(share(50), "green"), gives(user, "blue")],
    [gives(all(de, share(30)), "green"), gives(user, "blue")],
  ],
  "everyone but a share": [[], [gives(none(all(de, share(30))), "green")]],
  "everyone but a larger share": [
    [gives(none(all(de, share(30)), pro), "green")],
    [gives(none(all(de, share(40)), pro), "green")],
  ],
  "a share or a country": [[gives(any(de, share(30)), "green")], [gives(any(de, share(40)), "green")]],
}

test("whose value changes between lists of rules of many kinds", async () => {
  const names = Object.keys(lists)
  const pairs = names.flatMap((before, at) =>
    names.slice(at + 1, at + 3).map((after) => [before, after] as const),
  )
  const lines = [
    ...pairs.map(([before, after]) => [`${before} → ${after}`, lists[before], lists[after]] as const),
    ...Object.entries(edits).map(([name, [before, after]]) => [name, before, after] as const),
  ].map(([name, before = [], after = []]) => `${name}\n${sentencesOf(before, after).join("")}`)
  await expect(lines.join("")).toMatchFileSnapshot(join(import.meta.dirname, "pairs.txt"))
})
