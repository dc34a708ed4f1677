import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

// The sentence that a careful colleague would write, for edits that authors make.

type Written = readonly unknown[]

const segments = {
  staff: { attribute: "email", operator: "endsWith", value: "@acme.example" },
  germans: { attribute: "country", operator: "equals", value: "DE" },
  holdout: { all: [{ share: { by: "userId", to: 10, seed: "holdout" } }] },
  europeans: { any: [{ segment: "germans" }, { attribute: "continent", operator: "equals", value: "EU" }] },
}

function sentencesOf(before: Written | undefined, after: Written, rest: object = {}): readonly string[] {
  const file = (rules: Written): object => ({
    ...rest,
    defaultValue: "defaultValue" in rest ? rest.defaultValue : false,
    environments: { production: { enabled: true, rules } },
  })
  const side = (rules: Written | undefined) =>
    sideOf(rules === undefined ? {} : { f: file(rules) }, `${shop}clock: time\n`, segments)
  const { changes } = diffOf(side(before), side(after))
  return [...new Set(changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who))))]
}

const rule = (attribute: string, operator: string, value: unknown, returnValue: unknown = true) => ({
  attribute,
  operator,
  ...(value === undefined ? {} : { value }),
  returnValue,
})
const is = (attribute: string, operator: string, value: unknown) => ({ attribute, operator, value })
const all = (...conditions: readonly unknown[]) => ({ all: conditions, returnValue: true })
const always = (returnValue: unknown = true) => ({ operator: "always", returnValue })
const split = (shares: Readonly<Record<string, number>>, rest: object = {}) => ({
  ...rest,
  split: {
    by: "userId",
    into: Object.entries(shares).map(([returnValue, share]) => ({ share, returnValue })),
  },
})
const seededSplit = (seed: string, shares: Readonly<Record<string, number>>) => ({
  split: { ...split(shares).split, seed },
})
/** 30 %, 20 % and 30 % with these values. */
const shares = (...values: readonly [string, string, string]) => ({
  split: { by: "u", into: values.map((returnValue, at) => ({ share: at === 1 ? 20 : 30, returnValue })) },
})
const de = is("country", "equals", "DE")
const exceptGermanPros = { none: [{ all: [de, is("plan", "equals", "pro")] }] }
const holdout = (to: number) => ({ none: [{ share: { by: "userId", to, seed: "holdout" } }] })
const text = { type: "string", defaultValue: "off" }
/** The first 20 % of those who have the attribute. */
const all20 = (returnValue: string) => ({
  ...all(is("userId", "exists", undefined), is("userId", "percentage", "20")),
  returnValue,
})
/** A stage of these shares begins each day. */
const ramp = (...shares: readonly number[]) => ({
  ramp: { by: "userId", stages: shares.map((share, at) => ({ at: `2030-01-0${at + 1}T09:00:00Z`, share })) },
})
const tenants = Array.from({ length: 101 }, (_, at) => rule("t", "equals", String(at)))

describe("whose value changes", () => {
  const cases: readonly (readonly [string, Written | undefined, Written, readonly string[], object?])[] = [
    [
      "a new flag with a holdout and a split",
      undefined,
      [split({ control: 34, a: 33, b: 33 }, holdout(10))],
      [
        '40.6 % get `"control"`, 29.7 % `"a"`, 29.7 % `"b"`, by `userId` (seed `holdout`) and by `userId`; those without a `userId` get `"control"`',
      ],
      { ...text, defaultValue: "control" },
    ],
    [
      "a new flag with two shares by one attribute, of which one is beside another share",
      undefined,
      [
        { share: { by: "userId", to: 10 }, returnValue: true },
        all({ share: { by: "plan", to: 10 } }, { share: { by: "userId", to: 15 } }),
      ],
      [
        "`true` for 10 % of users by `userId`, and users among the first 10 % by `plan` and among the first 15 % by `userId`",
        "`false` for everyone else",
      ],
    ],
    [
      "a new flag with a ramp",
      undefined,
      [{ ...ramp(5, 25, 100), returnValue: true }],
      [
        "`true` for users by `userId`: 5 % from `2030-01-01T09:00:00Z`, 25 % from `2030-01-02T09:00:00Z` and 100 % from `2030-01-03T09:00:00Z`",
        "`false` for everyone else",
      ],
    ],
    [
      "rules and a long ramp where no rule was",
      [],
      [rule("plan", "equals", "pro"), all(de, ramp(1, 2, 3, 4, 5, 6, 7))],
      [
        "`true` instead of `false` for users with `plan` `pro`; and users in `DE` by `userId`: 1 % from `2030-01-01T09:00:00Z`, 2 % from `2030-01-02T09:00:00Z`, 3 % from `2030-01-03T09:00:00Z`, 4 % from `2030-01-04T09:00:00Z`, 5 % from `2030-01-05T09:00:00Z`, 6 % from `2030-01-06T09:00:00Z` and 7 % from `2030-01-07T09:00:00Z`",
      ],
    ],
    [
      "a new flag with a rule that takes many words, and no others have its value",
      undefined,
      [
        {
          any: [
            all(de, is("plan", "equals", "pro")),
            { none: [is("age", "lessThan", "65"), is("plan", "in", ["a", "b", "c"])] },
            is("email", "endsWith", "@a.example"),
          ].map(({ returnValue: _, ...one }: Record<string, unknown>) => one),
          returnValue: true,
        },
      ],
      [
        "`true` for users whom rule 1 (by `country`, `plan`, `age`, 1 more) decides",
        "`false` for everyone else",
      ],
    ],
    [
      "a ramp beside a condition on the time, with a line for each time",
      [],
      [all(is("time", "before", "2030-01-01T12:00:00Z"), ramp(5, 100))],
      [
        "from 2030-01-01 09:00 UTC until 2030-01-01 12:00 UTC, `true` instead of `false` for 5 % of users by `userId`",
      ],
    ],
    [
      "a ramp beside the ids that it picks from",
      [],
      [all(is("userId", "in", ["1", "2"]), ramp(5, 100))],
      ["from 2030-01-02 09:00 UTC, `true` instead of `false` for users with `userId` `1` or `2`"],
    ],
    [
      "a ramp beside many conditions",
      [],
      [
        all(
          { any: ["a", "b", "c", "d", "e", "f", "g"].map((name) => is(name, "equals", name)) },
          ramp(5, 100),
        ),
      ],
      [
        "from 2030-01-01 09:00 UTC, `true` instead of `false` for users whom rule 1 (by `a`, `b`, `c`, 5 more) decides now",
      ],
    ],
    [
      "a ramp below a rule of another value, with a line for each stage",
      undefined,
      [rule("plan", "equals", "pro", false), { ...ramp(5, 100), returnValue: true }],
      [
        "from 2030-01-01 09:00 UTC, `true` for users among the first 5 % by `userId` except users with `plan` `pro` (rule 1)",
        "from 2030-01-01 09:00 UTC, `false` for everyone else",
        "from 2030-01-02 09:00 UTC, `true` for users with any `userId` except users with `plan` `pro` (rule 1)",
        "from 2030-01-02 09:00 UTC, `false` for everyone else",
      ],
    ],
    [
      "a holdout that is a segment, over two arms of which one is the default",
      [split({ off: 50, on: 50 })],
      [{ none: [{ segment: "holdout" }], ...split({ off: 50, on: 50 }) }],
      ['10 % of users leave the experiment and get `"off"`: a change from `"on"` for 5 %'],
      text,
    ],
    [
      "another rule in front of a split",
      [rule("plan", "equals", "pro", "pro"), split({ control: 50, blue: 50 })],
      [rule("plan", "equals", "team", "pro"), split({ control: 50, blue: 50 })],
      [
        'users with `plan` `team` get `"pro"`',
        'of users with `plan` `pro`, 50 % get `"control"`, 50 % `"blue"`, by `userId`; those without a `userId` get `"control"`; all instead of `"pro"`',
      ],
      { ...text, defaultValue: "control" },
    ],
    [
      "bounds in two time zones",
      [
        all(
          is("now", "afterOrEquals", "2026-12-24T00:00:00+01:00"),
          is("now", "before", "2026-12-27T00:00:00+01:00"),
        ),
      ],
      [
        all(
          is("now", "afterOrEquals", "2026-12-24T00:00:00+01:00"),
          is("now", "before", "2026-12-27T00:00:00Z"),
        ),
      ],
      [
        "`true` instead of `false` for users with `now` from `2026-12-26T23:00:00Z` to before `2026-12-27T00:00:00Z`",
      ],
    ],
    [
      "everyone that becomes one value, hashed as well",
      [always()],
      [all(is("tenant", "equals", "t1"), is("tenant", "percentage", "100"))],
      ["`false` instead of `true` for everyone except those with `tenant` `t1`"],
    ],
    [
      "a different attribute beside a rule for those who lack the first",
      [
        {
          split: {
            by: "session",
            into: [
              { share: 40, returnValue: true },
              { share: 60, returnValue: false },
            ],
          },
        },
        {
          ...is("session", "notExists", undefined),
          split: {
            by: "userId",
            into: [
              { share: 40, returnValue: true },
              { share: 60, returnValue: false },
            ],
          },
        },
      ],
      [
        {
          split: {
            by: "userId",
            into: [
              { share: 20, returnValue: true },
              { share: 80, returnValue: false },
            ],
          },
        },
      ],
      [
        "`true` 40 → 20 %, `false` 60 → 80 %: of users who have both attributes, 44 % change (32 %: `true` → `false`, 12 %: `false` → `true`), by `session` and by `userId`. Those who lack one of them may change, too",
        "`false` instead of `true` for 20 % of users without a `session`, by `userId`",
      ],
    ],
    [
      "a later end",
      [rule("now", "before", "2026-12-24T00:00:00Z")],
      [rule("now", "before", "2026-12-26T00:00:00Z")],
      ["`true` instead of `false` for users with `now` from `2026-12-24` to before `2026-12-26`"],
    ],
    [
      "one more version",
      [rule("appVersion", "semverLessThan", "4.12.0")],
      [rule("appVersion", "semverLessThanOrEquals", "4.12.0")],
      ["`true` instead of `false` for users on `appVersion` `4.12.0`"],
    ],
    [
      "a shorter prefix",
      [rule("postcode", "startsWith", "10")],
      [rule("postcode", "startsWith", "1")],
      ["`true` instead of `false` for users whose `postcode` starts with `1` but not with `10`"],
    ],
    [
      "an end that becomes a part",
      [rule("email", "endsWith", "@x")],
      [rule("email", "contains", "@x")],
      ["`true` instead of `false` for users whose `email` contains `@x` but does not end with `@x`"],
    ],
    [
      "who has the attribute",
      [{ none: [de], returnValue: true }],
      [rule("country", "notEquals", "DE")],
      ["`false` instead of `true` for everyone without a `country`"],
    ],
    [
      "a share inside all",
      [all(de, is("u", "percentage", "10"))],
      [all(de, is("u", "percentage", "20"))],
      ["the share of users in `DE` who get `true` rises from 10 % to 20 %, by `u`"],
    ],
    [
      "a share of all that becomes one by another attribute",
      [{ share: { by: "u", to: 100, seed: "s" }, returnValue: true }],
      [{ share: { by: "v", to: 50, seed: "s" }, returnValue: true }],
      [
        "`true` 100 → 50 %, `false` 0 → 50 %: of users who have both attributes, 50 % change (50 %: `true` → `false`), now by `v` (seed `s`) instead of by `u` (seed `s`). Those who lack one of them may change, too",
      ],
    ],
    [
      "an arm with a new name, and a new value without the attribute",
      [split({ a: 20, c: 80 }), always("x")],
      [split({ b: 20, c: 80 }), always("y")],
      [
        '`"b"` instead of `"a"` for 20 % of users, by `userId`. Those without a `userId` get `"y"` instead of `"x"`',
      ],
      text,
    ],
    [
      "a split that begins where those without the attribute lose their value",
      [{ none: [{ share: { by: "userId", to: 100, seed: "s" } }], returnValue: "x" }],
      [seededSplit("s", { a: 20, b: 80 })],
      [
        '20 % of users get `"a"` and 80 % get `"b"` instead of `"off"`, by `userId` (seed `s`). Those without a `userId` get `"off"` instead of `"x"`',
      ],
      text,
    ],
    [
      "the value beside a share that stays",
      [all20("a"), rule("userId", "exists", undefined, "x")],
      [all20("a"), rule("userId", "exists", undefined, "y")],
      ['`"y"` instead of `"x"` for 80 % of users, by `userId`'],
      text,
    ],
    [
      "shares of two countries",
      [all(de, is("u", "percentage", "80")), all(is("country", "equals", "FR"), is("u", "percentage", "70"))],
      [all(de, is("u", "percentage", "10")), all(is("country", "equals", "FR"), is("u", "percentage", "20"))],
      [
        "the share of users in `DE` who get `true` falls from 80 % to 10 %, by `u`",
        "the share of users in `FR` who get `true` falls from 70 % to 20 %, by `u`",
      ],
    ],
    [
      "a holdout that gives one of the arms",
      [split({ control: 34, b: 33, c: 33 })],
      [
        { share: { by: "userId", to: 10, seed: "hold" }, returnValue: "control" },
        split({ control: 34, b: 33, c: 33 }),
      ],
      [
        '10 % of users leave the experiment and get `"control"`: a change for 6.6 % (3.3 % from `"b"`, 3.3 % from `"c"`)',
      ],
      text,
    ],
    [
      "a holdout below a rule that stays",
      [rule("country", "equals", "DE", "c"), split({ a: 50, b: 50 })],
      [
        rule("country", "equals", "DE", "c"),
        { share: { by: "userId", to: 10, seed: "hold" }, returnValue: "off" },
        split({ a: 50, b: 50 }),
      ],
      [
        '10 % of users leave the experiment (5 % from `"a"`, 5 % from `"b"`) and get `"off"`, except users in `DE` (rule 1)',
      ],
      text,
    ],
    [
      "a holdout that is added while its split gets another seed",
      [split({ a: 50, b: 50 })],
      [
        { share: { by: "userId", to: 10, seed: "hold" }, returnValue: "off" },
        { split: { ...split({ a: 50, b: 50 }).split, seed: "again" } },
      ],
      [
        '55 % of users change (5 %: `"a"` → `"off"`, 22.5 %: `"a"` → `"b"`, 5 %: `"b"` → `"off"`, 22.5 %: `"b"` → `"a"`), by `userId`, by `userId` (seed `again`) and by `userId` (seed `hold`)',
      ],
      text,
    ],
    [
      "a holdout that is added while its split ends",
      [split({ a: 50, b: 50 })],
      [{ share: { by: "userId", to: 10, seed: "hold" }, returnValue: "off" }, always("a")],
      [
        '55 % of users change (5 %: `"a"` → `"off"`, 5 %: `"b"` → `"off"`, 45 %: `"b"` → `"a"`), by `userId` and by `userId` (seed `hold`). Those without a `userId` get `"a"` instead of `"off"`',
      ],
      text,
    ],
    [
      "a winner beside a holdout",
      [split({ a: 50, b: 50 }, holdout(10))],
      [{ ...holdout(10), returnValue: "b" }],
      [
        'users outside the first 10 % by `userId` (seed `holdout`) get `"b"`: a change from `"a"` for 50 %, by `userId`. Those without a `userId` get it instead of `"off"`',
      ],
      text,
    ],
    [
      "a second holdout of a split",
      [split({ a: 50, b: 50 }, holdout(10))],
      [
        split(
          { a: 50, b: 50 },
          { none: [...holdout(10).none, { share: { by: "userId", to: 5, seed: "h2" } }] },
        ),
      ],
      ['4.5 % of users leave the experiment (2.25 % from `"a"`, 2.25 % from `"b"`) and get `"off"`'],
      text,
    ],
    [
      "a secret that a rule compares with",
      [rule("token", "equals", `fsk_${"aB3x".repeat(12)}Z`)],
      [],
      [`\`false\` instead of \`true\` for users with \`token\` \`fsk_${"*".repeat(49)}\``],
    ],
    [
      "a split in front of a rule for some of its users, each of whom is counted once",
      [split({ a: 20, b: 20 }), { ...de, returnValue: "c" }],
      [split({ a: 30, b: 20 }), { ...de, returnValue: "c" }],
      [
        '`"a"` 20 → 30 %, `"b"` stays 20 %, `"c"` 60 → 50 %: 20 % of users in `DE` change (10 %: `"b"` → `"a"`, 10 %: `"c"` → `"b"`), by `userId`',
        '`"a"` 20 → 30 %, `"b"` stays 20 %, `"off"` 60 → 50 %: 20 % of users outside `DE` change (10 %: `"b"` → `"a"`, 10 %: `"off"` → `"b"`), by `userId`',
      ],
      text,
    ],
    [
      "a split of all users that an empty text is not in",
      [rule("userId", "exists", undefined, "x")],
      [split({ a: 100 }), always("y")],
      [
        '`"a"` instead of `"x"` for 100 % of users by `userId`',
        '`"y"` instead of `"x"` for users with an empty `userId`',
        '`"y"` instead of `"off"` for everyone without a `userId`',
      ],
      text,
    ],
    [
      "sizes of arms in front of another split by another seed",
      [seededSplit("one", { x: 20, y: 30 }), seededSplit("two", { x: 25, q: 25 })],
      [seededSplit("one", { x: 30, y: 20 }), seededSplit("two", { x: 25, q: 25 })],
      ['`"x"` instead of `"y"` for 10 % of users, by `userId` (seed `one`)'],
      text,
    ],
    [
      "a split that ends for some countries",
      [split({ a: 50, b: 50 }, is("country", "in", ["DE", "AT"]))],
      [split({ a: 50, b: 50 }, de)],
      ['users in `AT` get `"off"`'],
      text,
    ],
    [
      "a split with a smaller first share",
      [split({ control: 50, green: 50 })],
      [split({ control: 40, green: 50 })],
      [
        '`"control"` 50 → 40 %, `"green"` stays 50 %, `"off"` 0 → 10 %: 20 % of users change (10 %: `"control"` → `"green"`, 10 %: `"green"` → `"off"`), by `userId`',
      ],
      text,
    ],
    [
      "a beginning",
      [rule("now", "before", "2026-12-24T00:00:00Z")],
      [all(is("now", "before", "2026-12-24T00:00:00Z"), is("now", "after", "2026-12-01T00:00:00Z"))],
      ["`false` instead of `true` for users with `now` up to `2026-12-01T00:00:00Z`"],
    ],
    [
      "a holdout before a share",
      [rule("u", "percentage", "10")],
      [{ share: { by: "u", to: 5, seed: "holdout" }, returnValue: false }, rule("u", "percentage", "10")],
      [
        "`false` instead of `true` for users among the first 10 % by `u` and among the first 5 % by `u` (seed `holdout`)",
      ],
    ],
    [
      "a split that replaces another rule",
      [{ segment: "staff", returnValue: "x" }, split({ control: 30, green: 30 })],
      [split({ control: 30, green: 30 })],
      [
        'of users in segment `staff`, 30 % get `"control"`, 30 % `"green"`, by `userId`; the rest `"off"`; all instead of `"x"`',
      ],
      text,
    ],
    [
      "a share of users who had several values",
      [
        { any: [de, { share: { by: "u", to: 100, seed: "s" } }], returnValue: "b" },
        { share: { by: "u", to: 40, seed: "t" }, returnValue: "a" },
      ],
      [{ share: { by: "u", to: 40, seed: "t" }, returnValue: "a" }],
      [
        '`"a"` instead of `"b"` for 40 % of users by `u` (seed `t`)',
        '`"off"` instead of `"b"` for users whom rule 1 (users in `DE`, or with any `u`) decided before and no rule decides now',
      ],
      text,
    ],
    [
      "a split that gives some what a rule in its place gave",
      [{ segment: "staff", returnValue: "green" }, split({ control: 30, green: 30 })],
      [split({ control: 30, green: 30 })],
      [
        '30 % of users in segment `staff` get `"control"` and 40 % get `"off"` instead of `"green"`, by `userId`. Those without a `userId` get `"off"` instead of `"green"`',
      ],
      text,
    ],
    [
      "a split of three",
      [split({ control: 50, green: 50 })],
      [split({ control: 40, green: 40, blue: 20 })],
      [
        '`"control"` 50 → 40 %, `"green"` 50 → 40 %, `"blue"` 0 → 20 %: 30 % of users change (10 %: `"control"` → `"green"`, 20 %: `"green"` → `"blue"`), by `userId`',
      ],
      text,
    ],
    [
      "a split of 100 % that begins",
      [],
      [split({ a: 60, b: 40 }, de)],
      ['of users in `DE`, 60 % get `"a"`, 40 % `"b"`, by `userId`; those without a `userId` get `"off"`'],
      text,
    ],
    [
      "a new split",
      [],
      [split({ a: 30, b: 30, c: 30 })],
      ['30 % get `"a"`, 30 % `"b"`, 30 % `"c"`, by `userId`; the rest `"off"`'],
      text,
    ],
    [
      "below a rule that stays",
      [{ segment: "staff", returnValue: true }, rule("u", "percentage", "10")],
      [{ segment: "staff", returnValue: true }, rule("u", "percentage", "20")],
      [
        "the share of users who get `true` rises from 10 % to 20 %, by `u`, except users in segment `staff` (rule 1)",
      ],
    ],
    [
      "everyone in the place of staff and a share",
      [{ segment: "staff", returnValue: true }, rule("u", "percentage", "10")],
      [always(true)],
      ["`true` instead of `false` for everyone neither in segment `staff` nor among the first 10 % by `u`"],
    ],
    [
      "a different attribute",
      [rule("userId", "percentage", "20")],
      [rule("companyId", "percentage", "20")],
      [
        "`true` stays 20 %: of users who have both attributes, 32 % change (16 %: `true` → `false`, 16 %: `false` → `true`), now by `companyId` instead of by `userId`. Those who lack one of them may change, too",
      ],
    ],
    [
      "a share below a rule that is removed with it",
      [{ segment: "staff", returnValue: true }, rule("u", "percentage", "50")],
      [rule("u", "percentage", "20")],
      [
        "`false` instead of `true` for users in segment `staff` outside the first 20 % by `u`",
        "the share of users outside segment `staff` who get `true` falls from 50 % to 20 %, by `u`",
      ],
    ],
    [
      "a share of all becomes an attribute of all",
      [rule("u", "percentage", "10")],
      [rule("u", "exists", undefined)],
      ["the share of users who get `true` rises from 10 % to 100 %, by `u`"],
    ],
    [
      "a moved share",
      [{ share: { by: "u", to: 20, seed: "s" }, returnValue: true }],
      [{ share: { by: "u", from: 80, to: 100, seed: "s" }, returnValue: true }],
      [
        "`true` stays 20 %: 40 % of users change (20 %: `true` → `false`, 20 %: `false` → `true`), by `u` (seed `s`)",
      ],
    ],
    [
      "a share that grows and moves, so that some lose the value",
      [{ share: { by: "u", to: 10, seed: "s" }, returnValue: true }],
      [{ share: { by: "u", from: 5, to: 25, seed: "s" }, returnValue: true }],
      [
        "`true` 10 → 20 %, `false` 90 → 80 %: 20 % of users change (5 %: `true` → `false`, 15 %: `false` → `true`), by `u` (seed `s`)",
      ],
    ],
    [
      "a share within a share",
      [{ share: { by: "u", from: 10, to: 40 }, returnValue: true }],
      [{ share: { by: "u", from: 20, to: 30 }, returnValue: true }],
      ["the share of users who get `true` falls from 30 % to 10 %, by `u`"],
    ],
    [
      "a share of a share with a different seed",
      [{ share: { by: "u", to: 10, seed: "s" }, returnValue: false }, rule("u", "percentage", "50")],
      [{ share: { by: "u", to: 10, seed: "s" }, returnValue: false }, rule("u", "percentage", "20")],
      [
        "the share of users outside the first 10 % by `u` (seed `s`) who get `true` falls from 50 % to 20 %, by `u`",
      ],
    ],
    [
      "a share of a share by a different attribute",
      [all(is("company", "percentage", "50"), is("u", "percentage", "50"))],
      [all(is("company", "percentage", "50"), is("u", "percentage", "20"))],
      ["the share of users among the first 50 % by `company` who get `true` falls from 50 % to 20 %, by `u`"],
    ],
    [
      "a user by name who is left to a split",
      [rule("userId", "in", ["u-18", "u-4"], "a"), split({ a: 10, b: 90 })],
      [rule("userId", "equals", "u-4", "a"), split({ a: 10, b: 90 })],
      [
        '`"b"` instead of `"a"` for users with `userId` `u-18`',
        '`"z"` instead of `"a"` for contexts with a list such as `{"userId":["u-18"]}`',
      ],
      { type: "string", defaultValue: "z" },
    ],
    [
      "a share of users that an expression does not match",
      [all({ none: [is("email", "matches", "^a")] }, is("u", "percentage", "50"))],
      [all({ none: [is("email", "matches", "^a")] }, is("u", "percentage", "20"))],
      ["the share of users whose `email` does not match `^a` who get `true` falls from 50 % to 20 %, by `u`"],
    ],
    [
      "a text that a list gains below 101 rules",
      [...tenants, rule("plan", "in", ["pro"])],
      [...tenants, rule("plan", "in", ["pro", "team"])],
      [
        "`true` instead of `false` for users with `plan` `team` except those who match rules 1 to 101 (by `t`)",
      ],
    ],
    [
      "a share below 101 rules",
      [...tenants, rule("u", "percentage", "50")],
      [...tenants, rule("u", "percentage", "20")],
      [
        "the share of users who get `true` falls from 50 % to 20 %, by `u`, except those who match rules 1 to 101 (by `t`)",
      ],
    ],
    [
      "a split beside a segment with a share",
      [split({ control: 50, large: 50 }, { none: [{ segment: "holdout" }] })],
      [split({ control: 90, large: 10 }, { none: [{ segment: "holdout" }] })],
      ['`"control"` instead of `"large"` for 40 % of users outside segment `holdout`, by `userId`'],
      text,
    ],
    [
      "more than six clauses: the rules",
      [
        ...["a", "b", "c"].map((at) => ({
          ...all(is(at, "exists", undefined), is(`${at}2`, "exists", undefined)),
          returnValue: "x",
        })),
      ],
      [rule("beta", "equals", "yes", "y"), { ...all(de, is("plan", "equals", "pro")), returnValue: "x" }],
      [
        '`"y"` instead of `"x"` for users whom rule 1, rule 2 or rule 3 decided before and rule 1 (users with `beta` `yes`) decides now',
        '`"y"` instead of `"off"` for users whom no rule decided before and rule 1 (users with `beta` `yes`) decides now',
        '`"x"` instead of `"off"` for users whom no rule decided before and rule 2 (users in `DE` with `plan` `pro`) decides now',
        '`"off"` instead of `"x"` for users whom rule 1, rule 2 or rule 3 decided before and no rule decides now',
      ],
      text,
    ],
    [
      "more than six clauses of a rule with a split",
      [split({ blue: 30, red: 30 }, { any: [de, is("plan", "equals", "pro")] })],
      [split({ blue: 30, red: 40 }, { any: [de, is("plan", "equals", "team")] })],
      [
        'of users with `plan` `team` outside `DE`, 30 % get `"blue"`, 40 % `"red"`, by `userId`; the rest `"off"`',
        '`"red"` instead of `"off"` for some users whom no rule decided before and rule 1 (by `country`, `plan`, `userId`) decides now',
        'users with `plan` `pro` outside `DE` get `"off"`: a change for 60 % (30 % from `"blue"`, 30 % from `"red"`), by `userId`',
      ],
      text,
    ],
    [
      "more than six clauses of one rule that gives another value",
      [{ any: [..."abcdefg"].map((at) => is(at, "exists", undefined)), returnValue: "x" }],
      [{ any: [..."abcdefg"].map((at) => is(at, "exists", undefined)), returnValue: "y" }],
      ['`"y"` instead of `"x"` for users whom rule 1 (by `a`, `b`, `c`, 4 more) decides'],
      text,
    ],
    [
      "a range by the flag's own key, which is not named",
      [],
      [{ share: { by: "userId", from: 20, to: 30 }, returnValue: true }],
      ["`true` instead of `false` for users between 20 % and 30 % by `userId`"],
    ],
    [
      "a split that becomes one of its values",
      [split({ a: 99, b: 1 })],
      [always("b")],
      [
        'everyone gets `"b"`: a change from `"a"` for 99 %, by `userId`. Those without a `userId` get it instead of `"off"`',
      ],
      text,
    ],
    [
      "a split with a rest that becomes one of its values",
      [split({ a: 30, b: 30 })],
      [always("b")],
      [
        'everyone gets `"b"`: a change for 70 % (40 % from `"off"`, 30 % from `"a"`), by `userId`. Those without a `userId` get it instead of `"off"`',
      ],
      text,
    ],
    [
      "shares whose sum no double is",
      [split({ a: 0.1, b: 0.2, c: 50 })],
      [split({ d: 0.3, c: 50 })],
      [
        '`"a"` 0.1 → 0 %, `"b"` 0.2 → 0 %, `"d"` 0 → 0.3 %: 0.3 % of users change (0.1 %: `"a"` → `"d"`, 0.2 %: `"b"` → `"d"`), by `userId`',
      ],
      text,
    ],
    [
      "a split of three by a different attribute",
      [split({ a: 30, b: 30, c: 30 })],
      [{ split: { ...split({ a: 30, b: 30, c: 30 }).split, by: "company" } }],
      [
        'of users who have both attributes, 72 % change (9 %: `"a"` → `"b"`, 9 %: `"a"` → `"c"`, 9 %: `"b"` → `"a"`, 9 %: `"b"` → `"c"`, 9 %: `"c"` → `"a"`, and 7 more), now by `company` instead of by `userId`. Those who lack one of them may change, too',
      ],
      text,
    ],
    [
      "a new flag with a split below a rule",
      undefined,
      [{ segment: "staff", returnValue: "b" }, split({ a: 30, b: 30 })],
      [
        '`"b"` for users in segment `staff`',
        '30 % get `"a"`, 30 % `"b"`, by `userId`, except users in segment `staff` (rule 1); the rest `"off"`',
      ],
      text,
    ],
    [
      "a share of which another rule takes a part",
      [{ ...all(de, is("u", "percentage", "30")), returnValue: "a" }, rule("u", "percentage", "20", "b")],
      [{ ...all(de, is("u", "percentage", "30")), returnValue: "a" }, rule("u", "percentage", "50", "b")],
      [
        '`"b"` instead of `"off"` for users between 20 % and 50 % by `u` (except those in `DE` among the first 30 % by `u`)',
      ],
      text,
    ],
    [
      "a new seed for a share",
      [{ share: { by: "u", to: 20, seed: "a" }, returnValue: true }],
      [{ share: { by: "u", to: 20, seed: "b" }, returnValue: true }],
      [
        "`true` stays 20 %: 32 % of users change (16 %: `true` → `false`, 16 %: `false` → `true`), by `u`, now with the seed `b`",
      ],
    ],
    [
      "a removed seed",
      [split({ a: 10, b: 10 })].map((one) => ({ split: { ...one.split, seed: "first" } })),
      [split({ a: 10, b: 10 })],
      [
        '34 % of users change (1 %: `"a"` → `"b"`, 8 %: `"a"` → `"off"`, 1 %: `"b"` → `"a"`, 8 %: `"b"` → `"off"`, 8 %: `"off"` → `"a"`, 8 %: `"off"` → `"b"`), by `userId`, now without a seed',
      ],
      text,
    ],
    [
      "fewer texts that are excluded",
      [rule("plan", "notIn", ["a", "b", "c"])],
      [rule("plan", "notEquals", "a")],
      ["`true` instead of `false` for users with `plan` `b` or `c`"],
    ],
    [
      "a different excluded version",
      [rule("v", "semverNotEquals", "4.1")],
      [rule("v", "semverNotEquals", "4.2")],
      [
        "`true` instead of `false` for users on `v` `4.1`",
        "`false` instead of `true` for users on `v` `4.2`",
      ],
    ],
    [
      "a longer part that is excluded",
      [rule("email", "notContains", "x")],
      [rule("email", "notContains", "xy")],
      ["`true` instead of `false` for users whose `email` contains `x` but not `xy`"],
    ],
    [
      "a condition that moves out of any",
      [all(de, { any: [is("plan", "equals", "pro"), is("age", "greaterThan", "18")] })],
      [all(de, is("plan", "equals", "pro"), is("age", "greaterThan", "18"))],
      [
        "`false` instead of `true` for users in `DE` with `plan` `pro` whose `age` is not above `18`, and users in `DE` with `age` above `18` without `plan` `pro`",
      ],
    ],
    [
      "a bound that excludes itself",
      [rule("n", "greaterThanOrEquals", "5")],
      [rule("n", "greaterThan", "5")],
      ["`false` instead of `true` for users with `n` `5`"],
    ],
    [
      "all but one string instead of another",
      [rule("plan", "in", ["pro", "max"])],
      [rule("plan", "notEquals", "team")],
      [
        "`true` instead of `false` for users with `plan` other than `team`, `pro` or `max`",
        '`false` instead of `true` for contexts with a list such as `{"plan":["team","pro"]}`',
      ],
    ],
    [
      "texts in any case",
      [rule("country", "in", ["DE", "AT"])],
      [{ ...rule("country", "in", ["DE", "AT"]), ignoreCase: true }],
      [
        "`true` instead of `false` for users in `DE` or `AT` (ignoring case) whose `country` is not `DE` or `AT`",
      ],
    ],
    [
      "texts that are the same in any case",
      [],
      [
        { ...rule("plan", "equals", "pro"), ignoreCase: true },
        { ...rule("plan", "in", ["PRO", "max"]), ignoreCase: true },
      ],
      ["`true` instead of `false` for users with `plan` `pro` or `max` (ignoring case)"],
    ],
    [
      "what is in doubt after what is not",
      [rule("email", "matches", "^[A-F]{3}-\\d+$"), rule("country", "equals", "DE", false)],
      [rule("email", "matches", "^[A-F]{3}-\\d+$", false), rule("country", "equals", "DE")],
      [
        "`true` instead of `false` for users in `DE` whose `email` does not match `^[A-F]{3}-\\d+$`",
        "users whose `email` matches `^[A-F]{3}-\\d+$` may get `false` instead of `true`",
      ],
    ],
    [
      "a new flag",
      undefined,
      [rule("country", "in", ["DE", "AT"], "german"), rule("plan", "equals", "pro", "english")],
      [
        '`"german"` for users in `DE` or `AT`',
        '`"english"` for users with `plan` `pro` except users in `DE` or `AT` (rule 1)',
        '`"off"` for everyone else',
      ],
      text,
    ],
    [
      "a text that is excluded within any",
      [
        all(is("plan", "equals", "pro"), {
          none: [is("country", "in", ["RU", "BY"]), is("beta", "exists", undefined)],
        }),
      ],
      [all(is("plan", "equals", "pro"), { none: [is("country", "equals", "RU")] })],
      [
        "`true` instead of `false` for users whom no rule decided before and rule 1 (users with `plan` `pro` outside `RU`) decides now",
      ],
    ],
    [
      "a range that grows at both ends",
      [all(is("n", "greaterThan", "5"), is("n", "lessThanOrEquals", "10"))],
      [all(is("n", "greaterThanOrEquals", "3"), is("n", "lessThan", "12"))],
      [
        "`true` instead of `false` for users with `n` from `3` to below `12` (except those with `n` above `5` up to `10`)",
      ],
    ],
    [
      "a holdout that grows beside a split",
      [split({ a: 50, b: 50 }, holdout(10))],
      [split({ a: 50, b: 50 }, holdout(20))],
      ['a further 10 % of users (5 % from `"a"`, 5 % from `"b"`) all get `"off"`'],
      text,
    ],
    [
      "a share by a different attribute of all but some",
      [all(exceptGermanPros, is("userId", "percentage", "50"))],
      [all(exceptGermanPros, is("companyId", "percentage", "50"))],
      [
        "of users (except those in `DE` with `plan` `pro`) who have both attributes, 50 % change (25 %: `true` → `false`, 25 %: `false` → `true`), now by `companyId` instead of by `userId`. Those who lack one of them may change, too",
      ],
    ],
    [
      "a larger share of all but some",
      [all(exceptGermanPros, is("userId", "percentage", "50"))],
      [all(exceptGermanPros, is("userId", "percentage", "70"))],
      [
        "the share of users (except those in `DE` with `plan` `pro`) who get `true` rises from 50 % to 70 %, by `userId`",
      ],
    ],
    [
      "a share of some becomes all",
      [all(de, is("u", "percentage", "10"))],
      [always()],
      ["`true` instead of `false` for everyone except those in `DE` among the first 10 % by `u`"],
    ],
    [
      "all in the place of some, below a rule",
      [rule("x", "exists", undefined), all(de, is("plan", "equals", "pro"))],
      [rule("x", "exists", undefined), always()],
      [
        "`true` instead of `false` for everyone (except those in `DE` with `plan` `pro`) except users with any `x` (rule 1)",
      ],
    ],
    [
      "a larger share of a range with those who lack it",
      [all({ none: [is("n", "greaterThan", "5")] }, is("u", "percentage", "10"))],
      [all({ none: [is("n", "greaterThan", "7")] }, is("u", "percentage", "20"))],
      [
        "`true` instead of `false` for users whom no rule decided before and rule 1 (users among the first 20 % by `u` whose `n` is not above `7`) decides now",
      ],
    ],
    [
      "a larger share of many more plans",
      [all(is("plan", "equals", "pro"), is("u", "percentage", "10"))],
      [all(is("plan", "in", ["pro", "team", "a", "b", "c"]), is("u", "percentage", "25"))],
      [
        "`true` instead of `false` for users whom no rule decided before and rule 1 (by `plan`, `u`) decides now",
      ],
    ],
    [
      "one text instead of an end, in any case",
      [{ ...rule("host", "endsWith", ".example"), ignoreCase: true }],
      [{ ...rule("host", "equals", "api.example"), ignoreCase: true }],
      [
        "`false` instead of `true` for users whose `host` ends with `.example` but is not `api.example` (ignoring case)",
      ],
    ],
    [
      "a different value for two shares with another between them",
      [shares("a", "b", "a")],
      [shares("x", "b", "x")],
      ['`"x"` instead of `"a"` for 60 % of users, by `u`'],
      text,
    ],
    [
      "a larger share of either",
      [all({ any: [de, is("plan", "equals", "pro")] }, is("u", "percentage", "10"))],
      [all({ any: [de, is("plan", "equals", "pro")] }, is("u", "percentage", "20"))],
      [
        "the share of users either in `DE` or with `plan` `pro` who get `true` rises from 10 % to 20 %, by `u`",
      ],
    ],
    [
      "a larger share of more plans",
      [all(is("plan", "equals", "pro"), is("u", "percentage", "10"))],
      [all(is("plan", "in", ["pro", "team"]), is("u", "percentage", "25"))],
      [
        "`true` instead of `false` for users with `plan` `pro` between 10 % and 25 % by `u`, and users with `plan` `team` among the first 25 % by `u`",
      ],
    ],
    [
      "staff and a percentage of a new flag",
      undefined,
      [rule("email", "endsWith", "@acme.example"), rule("userId", "percentage", "10")],
      [
        "`true` for users whose `email` ends with `@acme.example`",
        "`true` for users among the first 10 % by `userId` except users whose `email` ends with `@acme.example` (rule 1)",
        "`false` for everyone else",
      ],
    ],
    [
      "a schedule",
      [],
      [all(is("now", "after", "2026-12-01T00:00:00Z"), is("now", "before", "2026-12-24T00:00:00Z"))],
      ["`true` instead of `false` for users with `now` after `2026-12-01T00:00:00Z` and before `2026-12-24`"],
    ],
    [
      "300 customers",
      [],
      [
        rule(
          "customerId",
          "in",
          Array.from({ length: 300 }, (_, at) => `c${at}`),
        ),
      ],
      [
        "`true` instead of `false` for users with `customerId` `c0`, `c1`, `c2`, `c3`, `c4` or one of 295 more",
      ],
    ],
    [
      "only lists",
      [],
      [all(de, is("country", "equals", "AT"))],
      ['`true` instead of `false` for contexts with a list such as `{"country":["AT","DE"]}`'],
    ],
    [
      "a share of only lists",
      [all(de, is("country", "equals", "AT"), { share: { by: "id", to: 10 } })],
      [all(de, is("country", "equals", "AT"), { share: { by: "id", to: 20 } })],
      [expect.stringMatching(/^`true` instead of `false` for contexts with a list such as /)],
    ],
  ]
  for (const [name, before, after, expected, rest] of cases)
    test(name, () => expect(sentencesOf(before, after, rest)).toEqual(expected))

  test("a rule for everyone below seven rules in the other order", () => {
    const countries = [..."ABCDEFG"].map((country) => rule("country", "equals", country, country))
    const [first] = sentencesOf(countries, [...countries.toReversed(), always("x")], text)
    expect(first).toBe(
      '`"x"` instead of `"off"` for users whom no rule decided before and rule 8 decides now',
    )
  })

  test("segments within groups of their kind keep their names", () => {
    const plan = is("plan", "equals", "pro")
    const before = {
      all: [{ any: [{ segment: "europeans" }, is("beta", "exists", undefined)] }, plan],
      returnValue: true,
    }
    expect(sentencesOf([], [before])).toEqual([
      "`true` instead of `false` for users whom rule 1 (by `europeans`, `beta`, `plan`) decides now",
    ])
  })

  test("groups within groups of their kind", () => {
    const any = (...conditions: readonly unknown[]) => ({ any: conditions, returnValue: true })
    const [staff, beta] = [is("role", "equals", "staff"), is("beta", "exists", undefined)]
    const inner = { any: [de, staff] }
    expect(
      sentencesOf(
        [],
        [{ all: [{ any: [staff, inner, beta] }, is("plan", "equals", "pro")], returnValue: true }],
      ),
    ).toEqual([
      "`true` instead of `false` for users whom rule 1 (by `role`, `country`, `beta`, 1 more) decides now",
    ])
    expect(sentencesOf([], [any(inner, staff)])).toEqual([
      "`true` instead of `false` for users in `DE`, and users with `role` `staff`",
    ])
  })

  describe("of a thousand rules", () => {
    const ladder = (returnValue: string) =>
      Array.from({ length: 1_000 }, (_, at) =>
        rule("n", "lessThan", String(at), at === 500 ? returnValue : `v${at % 3}`),
      )

    test("one in the middle is named", () => {
      expect(sentencesOf(ladder("v2"), ladder("other"), text)).toEqual([
        '`"other"` instead of `"v2"` for users whom rule 501 (users with `n` below `500`) decides',
        "other users in `production` may get a different value; the flag is too large to say which",
      ])
    })

    test("all are described with may, by their own conditions", () => {
      const countries = Array.from({ length: 1_000 }, (_, at) => rule("country", "equals", `C${at}`, "on"))
      expect(sentencesOf(countries, [], text)).toEqual([
        'users in `C0`, `C1`, `C2`, `C3`, `C4` or one of 995 more may get `"off"` instead of `"on"`',
      ])
      expect(sentencesOf(countries, [rule("plan", "equals", "free", "free"), ...countries], text)).toEqual([
        'users in `C0`, `C1`, `C2`, `C3`, `C4` or one of 995 more with `plan` `free` may get `"free"` instead of `"on"`',
        'users whom no rule decided before and rule 1 (users with `plan` `free`) decides now may get `"free"` instead of `"off"`',
      ])
    })
  })

  test("a long list is compared with the one before by the texts of either alone", () => {
    const ids = Array.from({ length: 5_000 }, (_, at) => `id-${at}`)
    expect(
      sentencesOf([rule("id", "in", ids, "on")], [rule("id", "in", [...ids.slice(1), "new"], "on")], text),
    ).toEqual([
      '`"on"` instead of `"off"` for users with `id` `new`',
      '`"off"` instead of `"on"` for users with `id` `id-0`',
    ])
  })

  describe("of lists", () => {
    const shop = "project: shop\nenvironments: [production]\n"
    const declared = `${shop}attributes: { country: { type: text }, plan: {}, groups: { type: list } }\n`
    const said = (before: Written, after: Written, project: string, projectBefore = project) => {
      const sideWith = (rules: Written, text: string) =>
        sideOf({ f: { defaultValue: false, environments: { production: { enabled: true, rules } } } }, text)
      const { changes } = diffOf(sideWith(before, projectBefore), sideWith(after, project))
      return changes.flatMap(({ impact, effects }) => [impact, ...effects.map(({ who }) => plainPhrase(who))])
    }
    const two = (attribute: string) => [
      rule(attribute, "equals", "DE"),
      rule(attribute, "equals", "AT", false),
    ]

    test("none where the same change gives the attribute a type", () => {
      const [de, fr] = ["DE", "FR"].map((value) => ({ attribute: "country", operator: "equals", value }))
      const others = rule("country", "notEquals", "DE")
      expect(said([{ all: [de, fr], returnValue: true }, others], [others], declared, shop)).toEqual([
        "definition",
      ])
    })

    test.each<readonly [string, Written, Written, string, readonly string[]]>([
      [
        "none where the attribute has a type",
        two("country"),
        two("country").toReversed(),
        declared,
        ["definition"],
      ],
      [
        "an example where it may be one",
        two("country"),
        two("country").toReversed(),
        shop,
        ["behaviour", '`false` instead of `true` for contexts with a list such as `{"country":["AT","DE"]}`'],
      ],
      [
        "no object where it has a type",
        [rule("country", "equals", "DE"), rule("country", "notEquals", "DE")],
        [rule("country", "exists", undefined)],
        declared,
        ["definition", "definition"],
      ],
    ])("%s", (_, before, after, project, expected) => expect(said(before, after, project)).toEqual(expected))
  })

  describe("names are those of the rules in question", () => {
    const flag = (rules: Written) => ({
      defaultValue: false,
      environments: { production: { enabled: true, rules } },
    })
    const others = {
      alpha: flag([rule("country", "equals", "DE")]),
      beta: flag([rule("country", "equals", "DE")]),
    }
    const sentences = (before: Written, after: Written) => {
      const side = (rules: Written) =>
        sideOf({ ...others, f: { ...flag(rules), ...text } }, undefined, {
          ...segments,
          locals: segments.germans,
        })
      const { changes } = diffOf(side(before), side(after))
      return changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who)))
    }
    const both = (one: object, plan: string, returnValue: string) => ({
      all: [one, is("plan", "equals", plan)],
      returnValue,
    })
    const [alpha, beta] = [{ flag: "alpha" }, { flag: "beta" }]
    const germans = { segment: "germans" }

    test.each<readonly [string, Written, Written, readonly string[]]>([
      [
        "of two flags",
        [both(alpha, "pro", "a"), both(beta, "max", "b")],
        [both(alpha, "pro", "a2"), both(beta, "max", "b2")],
        [
          '`"a2"` instead of `"a"` for users with `plan` `pro` who get `true` from flag `alpha`',
          '`"b2"` instead of `"b"` for users with `plan` `max` who get `true` from flag `beta`',
        ],
      ],
      [
        "none where only another rule has one",
        [both(alpha, "pro", "a"), both(de, "max", "b")],
        [both(alpha, "pro", "a"), both(de, "max", "b2")],
        ['`"b2"` instead of `"b"` for users in `DE` with `plan` `max`'],
      ],
      [
        "each, where one sentence is about both",
        [both(alpha, "pro", "a"), both(beta, "max", "a")],
        [both(alpha, "pro", "b"), both(beta, "max", "b")],
        [
          '`"b"` instead of `"a"` for users with `plan` `pro` who get `true` from flag `alpha`, and users with `plan` `max` who get `true` from flag `beta`',
        ],
      ],
      [
        "of a rule that comes first",
        [{ segment: "locals", returnValue: "a" }, both(alpha, "pro", "b"), both(germans, "max", "c")],
        [{ segment: "locals", returnValue: "a" }, both(alpha, "pro", "b"), always("d")],
        ['`"d"` instead of `"off"` for everyone except users in segment `locals` (rule 1)'],
      ],
    ])("%s", (_, before, after, expected) => expect(sentences(before, after)).toEqual(expected))
  })
})

test("segments that another flag uses keep their names", () => {
  const flag = (rules: Written) => ({
    defaultValue: false,
    environments: { production: { enabled: true, rules } },
  })
  const side = (share: string) =>
    sideOf(
      {
        asked: flag([{ segment: "staff", returnValue: true }, rule("u", "percentage", share)]),
        between: flag([{ flag: "asked", returnValue: true }]),
        f: flag([{ flag: "between", returnValue: true }]),
      },
      undefined,
      segments,
    )
  const { changes } = diffOf(side("10"), side("20"))
  expect(changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who))).at(-1)).toBe(
    "the share of users outside segment `staff` who get `true` rises from 10 % to 20 %, by `u` (seed `asked`)",
  )
})

test("a split shows which users a changed flag leaves to it", () => {
  const flag = (rules: Written, rest: object = { defaultValue: false }) => ({
    ...rest,
    environments: { production: { enabled: true, rules } },
  })
  const side = (seed: string) => {
    const asked = flag([
      { ...de, returnValue: true },
      { share: { by: "userId", to: 10, seed }, returnValue: true },
    ])
    const own = {
      by: "userId",
      seed: "one",
      into: [
        { share: 50, returnValue: "a" },
        { share: 50, returnValue: "b" },
      ],
    }
    const pro = is("plan", "equals", "pro")
    const f = flag([{ all: [{ flag: "asked", is: false }, pro], returnValue: "c" }, { split: own }], text)
    return sideOf({ asked, f }, undefined, segments)
  }
  const { changes } = diffOf(side("one"), side("two"))
  const sentences = changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who)))
  expect(sentences).toContain(
    '18 % of users with `plan` `pro` outside `DE` change (9 %: `"a"` → `"c"`, 4 %: `"c"` → `"a"`, 5 %: `"c"` → `"b"`), by `userId` (seed `one`) and by `userId` (seed `two`)',
  )
})
