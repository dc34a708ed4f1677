import { join } from "node:path"
import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import { diffOf, sideOf } from "../sides.ts"

// Each of these lists of rules becomes each of the five that follow it. The properties check that the sentences are true; this, that
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
const segments = { staff: is("email", "endsWith", "@acme.example"), tenth: share(10, { seed: "holdout" }) }

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

test("whose value changes between lists of rules of many kinds", async () => {
  const names = Object.keys(lists)
  const pairs = names.flatMap((before, at) =>
    names.slice(at + 1, at + 6).map((after) => [before, after] as const),
  )
  const lines = pairs.map(([before, after]) => {
    return `${before} → ${after}\n${sentencesOf(lists[before] ?? [], lists[after] ?? []).join("")}`
  })
  await expect(lines.join("")).toMatchFileSnapshot(join(import.meta.dirname, "pairs.txt"))
})
