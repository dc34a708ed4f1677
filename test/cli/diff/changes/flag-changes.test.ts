import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { describeChange } from "../../../../cli/diff/changes/describe.ts"
import { segmentWords } from "../../../../cli/diff/format/segment-rows.ts"
import { decode } from "../../decode.ts"
import { always, enabled, flag, german, ours, type Rule } from "../flags.ts"
import { diffOf, sideOf } from "../sides.ts"

/** Each change with its impact and all its sentences. */
function said(before: object, after: object): readonly string[] {
  return diffOf(sideOf({ f: before }), sideOf({ f: after })).changes.flatMap((change) => [
    `${change.impact}: ${plainPhrase(describeChange(change))}`,
    ...change.effects.map(({ who }) => `  ${plainPhrase(who)}`),
    ...(change.reason === undefined ? [] : [`  (${plainPhrase(change.reason)})`]),
  ])
}

const groupRule = (plan: string) => ({
  all: [
    { attribute: "country", operator: "equals", value: "DE" },
    { attribute: "plan", operator: "equals", value: plan },
  ],
  returnValue: true,
})

const anyOfTwenty =
  "`true` instead of `false` for users whom one of 20 rules (by `a0`, `a1`, `a2`, 17 more) decides now"

describe("who is affected", () => {
  test.each<readonly [string, object, object, readonly string[]]>([
    [
      "switched on",
      flag({ ...enabled(always), enabled: false }),
      flag(enabled(always)),
      ["behaviour: switched on", "  `true` instead of `false` for everyone"],
    ],
    [
      "switched off",
      flag(enabled(ours)),
      flag({ ...enabled(ours), enabled: false }),
      [
        "behaviour: switched off",
        "  `false` instead of `true` for users whose `email` ends with `@example.com`",
      ],
    ],
    [
      "switched on without rules",
      flag({ enabled: false }),
      flag({ enabled: true }),
      ["definition: switched on", "  (no one's value changes)"],
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
      "a rule after another",
      flag(enabled(german)),
      flag(enabled(german, ours)),
      [
        "behaviour: rule 2 added: `email endsWith @example.com` gives `true`",
        "  `true` instead of `false` for users whose `email` ends with `@example.com` except users in `DE` (rule 1)",
      ],
    ],
    [
      "a rule that gives what all get",
      flag(enabled(german)),
      flag(enabled(german, ["beta", "exists", "", false])),
      ["definition: rule 2 added: `beta exists` gives `false`", "  (no one's value changes)"],
    ],
    [
      "a rule shadowed by another",
      flag(enabled(["country", "exists", "", true])),
      flag(enabled(["country", "exists", "", true], ["country", "equals", "DE", false])),
      [
        "definition: rule 2 added: `country equals DE` gives `false`",
        "  (earlier rules already match the same users)",
      ],
    ],
    [
      "a rule shadowed by another, removed",
      flag(enabled(["country", "exists", "", true], ["country", "equals", "DE", false])),
      flag(enabled(["country", "exists", "", true])),
      [
        "definition: rule 2 removed: `country equals DE` gives `false`",
        "  (earlier rules already match the same users)",
      ],
    ],
    [
      "a first description",
      flag(undefined, { description: "" }),
      flag(undefined, { description: "A banner." }),
      ["definition: description: (none) → `A banner.`"],
    ],
    [
      "a rule instead of another",
      flag(enabled(ours, german, ["beta", "exists", "", false])),
      flag({
        enabled: true,
        rules: [...enabled(ours).rules, groupRule("pro"), ...enabled(["beta", "exists", "", false]).rules],
      }),
      [
        "behaviour: rule 2 edited: `country equals DE` → all of (`country equals DE`, `plan equals pro`)",
        "  `false` instead of `true` for users in `DE` without `plan` `pro` except users whose `email` ends with `@example.com` (rule 1)",
      ],
    ],
    [
      "a different percentage",
      flag(enabled(["id", "percentage", "10", true])),
      flag(enabled(["id", "percentage", "25", true])),
      [
        "behaviour: rule 1 edited: 10 % → 25 % by `id`",
        "  the share of users who get `true` rises from 10 % to 25 %, by `id`",
      ],
    ],
    [
      "a different list",
      flag(enabled(["country", "in", ["DE", "FR"], true])),
      flag(enabled(["country", "in", ["DE", "IT", "ES"], true])),
      [
        "behaviour: rule 1 edited: value `IT`, `ES` added, `FR` removed",
        "  `true` instead of `false` for users in `IT` or `ES`",
        "  `false` instead of `true` for users in `FR`",
      ],
    ],
    [
      "a list in a different order",
      flag(enabled(["country", "in", ["DE", "FR"], true])),
      flag(enabled(["country", "in", ["FR", "DE"], true])),
      ["definition: rule 1 edited: value in a different order", "  (no one's value changes)"],
    ],
    [
      "a different return value",
      flag(enabled(ours)),
      flag(enabled(["email", "endsWith", "@example.com", false], german)),
      [
        "behaviour: rule 2 added: `country equals DE` gives `true`",
        "  `false` instead of `true` for users whose `email` ends with `@example.com`",
        "  `true` instead of `false` for users in `DE` whose `email` does not end with `@example.com`",
        "behaviour: rule 1 edited: returnValue `true` → `false`",
      ],
    ],
    [
      "rules that match the same contexts, the other way round",
      flag(enabled(ours, ["country", "equals", "DE", false], ["plan", "exists", "", true])),
      flag(enabled(["country", "equals", "DE", false], ours, ["plan", "exists", "", true])),
      [
        "behaviour: rule 2 moved to 1: `country equals DE` gives `false`",
        "  `false` instead of `true` for users in `DE` whose `email` ends with `@example.com`",
      ],
    ],
    [
      "an expression: it may be",
      flag(enabled(["email", "matches", "@example\\.com$", true])),
      flag(enabled(["email", "matches", "@(example|shop)\\.com$", true])),
      [
        "behaviour: rule 1 edited: `email matches @example\\.com$` → `email matches @(example|shop)\\.com$`",
        "  users whose `email` matches `@(example|shop)\\.com$` but not `@example\\.com$` may get `true` instead of `false`",
        "  users whose `email` matches `@example\\.com$` but not `@(example|shop)\\.com$` may get `false` instead of `true`",
      ],
    ],
    [
      "more groups than a reader reads",
      flag(enabled()),
      flag(enabled(...Array.from({ length: 20 }, (_, at): Rule => [`a${at}`, "exists", "", true]))),
      Array.from({ length: 20 }, (_, at) => [
        `behaviour: rule ${at + 1} added: \`a${at} exists\` gives \`true\``,
        ...(at === 0 ? [`  ${anyOfTwenty}`] : []),
      ]).flat(),
    ],
    [
      "more groups than a reader reads, by one change",
      flag({
        ...enabled(...Array.from({ length: 20 }, (_, at): Rule => [`a${at}`, "exists", "", true])),
        enabled: false,
      }),
      flag(enabled(...Array.from({ length: 20 }, (_, at): Rule => [`a${at}`, "exists", "", true]))),
      ["behaviour: switched on", `  ${anyOfTwenty}`],
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
      "an id that an author gives",
      flag(enabled(ours)),
      flag({
        enabled: true,
        rules: [
          { id: "staff", attribute: "email", operator: "endsWith", value: "@example.com", returnValue: true },
        ],
      }),
      ["definition: rule 1 edited: id `" + "5a2d6cc7" + "` → `staff`"],
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
  const named = (name: string, returnValue = "x") => ({ segment: name, returnValue })
  const german = { attribute: "country", operator: "equals", value: "DE" }

  test.each<readonly [string, readonly object[], readonly object[], readonly string[]]>([
    ["a segment", [], [named("staff")], ['rule 1 added: segment `staff` gives `"x"`']],
    [
      "a new split",
      [],
      [split({ a: 10, b: 20 }, {}, german)],
      ["rule 1 added: split by `id` of `country equals DE`"],
    ],
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
    ["other shares", [split({ a: 10, b: 20 })], [split({ a: 20, b: 20 })], ["rule 1 edited: shares"]],
    ["a share more", [split({ a: 10, b: 20 })], [split({ a: 10, b: 20, c: 5 })], ["rule 1 edited: shares"]],
    ["a share less", [split({ a: 10, b: 20 })], [split({ a: 10 })], ["rule 1 edited: shares"]],
    [
      "a split in place of a rule",
      [named("staff", "b")],
      [split({ a: 10, b: 20 })],
      ["rule 1 edited: segment `staff` → split by `id`"],
    ],
    [
      "a new value for a share",
      [split({ a: 10, b: 20 })],
      [split({ a: 10, z: 20 })],
      ['rule 1 edited: returnValue `"b"` → `"z"`'],
    ],
    [
      "a part of all",
      [],
      [{ share: { by: "id", from: 10, to: 20, seed: "s" }, returnValue: "x" }],
      ['rule 1 added: 10 to 20 % by `id` (seed `s`) gives `"x"`'],
    ],
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
    "rule 1 added: split by `id`, without the first 10 % by `id` (seed `h`)",
  )
  expect(limited({ share: { by: "id", from: 10, to: 20, seed: "h" } })).toBe(
    "rule 1 added: split by `id`, without 10 to 20 % by `id` (seed `h`)",
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
  expect(words("share", '{"seed":"s","from":0,"to":10}')).toBe("10 % of users by `id` (seed `s`)")
})
