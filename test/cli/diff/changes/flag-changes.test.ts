import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { describeChange } from "../../../../cli/diff/changes/describe.ts"
import { segmentWords } from "../../../../cli/diff/format/segment-rows.ts"
import { decode } from "../../decode.ts"
import { always, enabled, flag, ours } from "../flags.ts"
import { diffOf, sideOf } from "../sides.ts"

/** Each change with its impact and all its sentences. */
function said(before: object, after: object): readonly string[] {
  return diffOf(sideOf({ f: before }), sideOf({ f: after })).changes.flatMap((change) => [
    `${change.impact}: ${plainPhrase(describeChange(change))}`,
    ...change.effects.map(({ who }) => `  ${plainPhrase(who)}`),
    ...(change.reason === undefined ? [] : [`  (${plainPhrase(change.reason)})`]),
  ])
}

describe("who is affected", () => {
  test.each<readonly [string, object, object, readonly string[]]>([
    [
      "switched on",
      flag({ ...enabled(always), enabled: false }),
      flag(enabled(always)),
      ["behaviour: switched on", "  `true` instead of `false` for everyone"],
    ],
    [
      "configured",
      flag(undefined),
      flag(enabled(ours)),
      [
        "behaviour: configured: enabled, 1 rule",
        "  `true` instead of `false` for users whose `email` ends with `@example.com`",
      ],
    ],
    [
      "configured, disabled",
      flag(undefined),
      flag({ enabled: false }),
      ["definition: configured: disabled, 0 rules", "  (the flag is disabled in `production`)"],
    ],
    [
      "unconfigured",
      flag(enabled(always)),
      flag(undefined),
      ["behaviour: configuration removed: enabled, 1 rule", "  `false` instead of `true` for everyone"],
    ],
    [
      "a first description",
      flag(undefined, { description: "" }),
      flag(undefined, { description: "A banner." }),
      ["definition: description: (none) → `A banner.`"],
    ],
    [
      "a value that is too long to be shown",
      { type: "json", defaultValue: { a: "x".repeat(200), b: 1 } },
      { type: "json", defaultValue: { a: "x".repeat(200), b: 2 } },
      [
        "behaviour: defaultValue: `b` `1` → `2`",
        ...Array.from({ length: 3 }, () => "  everyone gets `b` `2`, was `1`"),
      ],
    ],
    [
      "texts for readers",
      flag(undefined, { description: "Old", owner: "a" }),
      flag(undefined, { description: "New", tags: ["x"], name: "F" }),
      [
        "definition: name: `f` → `F`",
        "definition: description: `Old` → `New`",
        "none: owner: `a` → (none)",
        'none: tags: (none) → `["x"]`',
      ],
    ],
  ])("%s", (_, before, after, expected) =>
    expect(said(before, after).map((line) => line.replace(/`[0-9a-f]{8}`/, "`5a2d6cc7`"))).toEqual(expected),
  )
})

describe("rules have the words and numbers of their file", () => {
  const segments = {
    staff: { attribute: "email", operator: "endsWith", value: "@a" },
    testers: { any: [{ segment: "staff" }, { attribute: "beta", operator: "exists" }] },
  }
  const split = (shares: Readonly<Record<string, number>>, rest: object = {}, whom: object = {}) => ({
    ...whom,
    split: {
      by: "id",
      ...rest,
      into: Object.entries(shares).map(([returnValue, share]) => ({ share, returnValue })),
    },
  })
  const countries = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ attribute: "country", operator: "equals", value: `${at}` }))

  test.each<readonly [string, readonly object[], readonly object[], readonly string[]]>([
    [
      "arms that change places",
      [split({ a: 10, b: 20, c: 5 })],
      [split({ c: 10, b: 20, a: 5 })],
      ["rule 1 edited: arms"],
    ],
    [
      "two segments that change in a group",
      [{ any: [{ segment: "moving" }, { segment: "also-moving" }], returnValue: "x" }],
      [{ any: [{ segment: "moving" }, { segment: "also-moving" }], returnValue: "x" }],
      ["rule 1: segments `moving`, `also-moving` have changed"],
    ],
    [
      "one of two segments that changes",
      [{ any: [{ segment: "staff" }, { segment: "moving" }], returnValue: "x" }],
      [{ any: [{ segment: "staff" }, { segment: "moving" }], returnValue: "x" }],
      ["rule 1: segment `moving` has changed"],
    ],
    [
      "a group of five, of seven",
      [{ any: countries(5), returnValue: "x" }],
      [{ any: countries(7), returnValue: "x" }],
      [
        "rule 1 edited: any of (`country equals 0`, `country equals 1`, `country equals 2`, `country equals 3`, `country equals 4`) → any of (`country equals 0`, `country equals 1`, `country equals 2`, `country equals 3`, `country equals 4`, 2 more)",
      ],
    ],
    ["a share more", [split({ a: 10, b: 20 })], [split({ a: 10, b: 20, c: 5 })], ["rule 1 edited: shares"]],
  ])("%s", (_, before, after, expected) => {
    const side = (rules: readonly object[], value: string) => {
      const moving = { attribute: "plan", operator: "equals", value }
      return sideOf(
        { f: flag({ enabled: true, rules }, { type: "string", defaultValue: "off" }) },
        undefined,
        { ...segments, moving, "also-moving": { ...moving, attribute: "tier" } },
      )
    }
    const { changes } = diffOf(side(before, "one"), side(after, "two"))
    expect([...new Set(changes.map((change) => plainPhrase(describeChange(change))))]).toEqual(expected)
  })
})

test("a rule about another flag says if, because the condition has the word gives", () => {
  const side = (...rules: readonly object[]) =>
    sideOf({ g: flag(enabled(always)), f: flag({ enabled: true, rules }) })
  const [change] = diffOf(side(), side({ flag: "g", returnValue: true })).changes
  expect(change && plainPhrase(describeChange(change))).toBe("rule 1 added: if flag `g` gives `true`: `true`")
})

test("a split counts as one rule of an added or removed configuration", () => {
  const into = [1, 2].map((part) => ({ share: 50, returnValue: part === 1 }))
  const split = {
    enabled: true,
    rules: [
      { attribute: "country", operator: "equals", value: "DE", returnValue: true },
      { split: { by: "id", into } },
    ],
  }
  const words = (...sides: readonly (object | undefined)[]) => {
    const [before, after] = sides.map((own) => sideOf({ f: flag(own) }))
    return (
      before && after && diffOf(before, after).changes.map((change) => plainPhrase(describeChange(change)))
    )
  }
  expect(words(undefined, split)).toEqual(["configured: enabled, 2 rules"])
  expect(words(split, undefined)).toEqual(["configuration removed: enabled, 2 rules"])
})

test("a split says whom it leaves out", () => {
  const into = [1, 2].map((part) => ({ share: 50, returnValue: part === 1 }))
  const limited = (condition: object) => {
    const rules = [{ none: [condition], split: { by: "id", into } }]
    const [change] = diffOf(
      sideOf({ f: flag({ enabled: true, rules: [] }) }),
      sideOf({ f: flag({ enabled: true, rules }) }),
    ).changes
    return change && plainPhrase(describeChange(change))
  }
  expect(limited({ share: { by: "id", to: 10, seed: "h" } })).toBe(
    "rule 1 added: split by `id`, without the first 10 % by `id` with the seed `h`",
  )
  expect(limited({ share: { by: "id", from: 10, to: 20, seed: "h" } })).toBe(
    "rule 1 added: split by `id`, without 10 to 20 % by `id` with the seed `h`",
  )
  expect(limited({ attribute: "country", operator: "equals", value: "DE" })).toBe(
    "rule 1 added: split by `id`, without `country equals DE`",
  )
})

test("a segment with a share says that it selects different users in each flag", () => {
  const words = (operator: string, value: string) =>
    plainPhrase(
      segmentWords({
        segment: "tenth",
        before: null,
        after: decode({ attribute: "id", operator, value }) ?? null,
        flags: {},
      }),
    )
  expect(words("percentage", "10")).toBe("10 % of users by `id`, different users in each flag")
  expect(words("share", '{"seed":"s","from":0,"to":10}')).toBe("10 % of users by `id` with the seed `s`")
})
