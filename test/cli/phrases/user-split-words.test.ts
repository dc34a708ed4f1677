import { expect, test } from "vitest"
import type { Clause } from "../../../cli/conditions/clause.ts"
import type { UserSplit } from "../../../cli/conditions/moves/group.ts"
import { phrase, plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { userSplitWords } from "../../../cli/phrases/user-split-words.ts"

type Shares = readonly (readonly [number, string | undefined, string, number?])[]

/** Shares of a split whose arms give any value but `off`, which is what the rest get. */
function words(shares: Shares, rest: Partial<UserSplit> = {}): string | undefined {
  const armsOf = (values: readonly (string | undefined)[]) =>
    new Set(values.filter((value) => value !== undefined && value !== "off") as readonly string[])
  const split: UserSplit = {
    by: [{ by: "u", seed: undefined }],
    instead: undefined,
    who: [],
    shares: shares.map(([size, before, after, range = 0]) => ({
      size,
      before,
      after,
      range,
      isArm: before !== "off",
    })),
    armsBefore: armsOf(shares.map(([, before]) => before)),
    armsAfter: armsOf(shares.map(([, , after]) => after)),
    restBefore: "off",
    restAfter: "off",
    others: { before: undefined, after: undefined },
    isKnown: true,
    coversOthers: false,
    isPartial: (rest.instead?.by ?? "u") !== "u",
    ...rest,
  }
  const sentence = userSplitWords(split, (value) => phrase`${value}`)
  return sentence && plainPhrase(sentence)
}

const clause = (attribute: string, value: string): Clause => ({
  condition: { kind: "comparison", attribute, operator: "equals", operand: value },
  holds: true,
})
const inShare = { condition: { kind: "share", by: "u", seed: "h", from: 0, to: 10 }, holds: false } as const
const experiment = {
  by: [
    { by: "u", seed: "e" },
    { by: "u", seed: "h" },
  ],
}
const moved = (before: string, after: string) => ({ others: { before, after } })

test.each<[string | undefined, Shares, Partial<UserSplit>?]>([
  [
    undefined,
    [
      [50, "a", "a"],
      [50, "off", "off"],
    ],
  ],
  [
    "`b` instead of `a` for 20 % of users, by `u`",
    [
      [20, "a", "b"],
      [80, "off", "off"],
    ],
  ],
  [
    undefined,
    [
      [20, "off", "b"],
      [80, "off", "off"],
    ],
  ],
  [
    undefined,
    [
      [20, "a", "off"],
      [80, "off", "off"],
    ],
  ],
  [
    "10 % get `a`, 90 % `b`, by `u`",
    [
      [10, undefined, "a"],
      [90, undefined, "b"],
    ],
    { restBefore: undefined },
  ],
  [
    "10 % get `a`, 90 % `b`, by `u`; those without a `u` get `off`",
    [
      [10, undefined, "a"],
      [90, undefined, "b"],
    ],
    { restBefore: undefined, others: { before: undefined, after: "off" } },
  ],
  [
    "10 % get `a`, 90 % `b`, by `id` and by `u` (seed `s`); those without an `id` or a `u` get `off`",
    [
      [10, undefined, "a"],
      [90, undefined, "b"],
    ],
    {
      restBefore: undefined,
      others: { before: undefined, after: "off" },
      by: [
        { by: "id", seed: undefined },
        { by: "u", seed: "s" },
      ],
    },
  ],
  ["everyone with a `u` gets `on`", [[100, "off", "on"]], { restAfter: "on", armsAfter: new Set() }],
  [
    "`off` 30 → 0 %, `a` 0 → 10 %, `b` 0 → 20 %: 30 % of users change (10 %: `off` → `a`, 20 %: `off` → `b`), by `u`",
    [
      [10, "off", "a"],
      [20, "off", "b"],
      [70, "x", "x"],
    ],
    { restBefore: undefined, restAfter: undefined },
  ],
  [
    "10 % get `a`, 20 % `b`, 70 % `c`, by `u`; those without a `u` get `c`; all instead of `off`",
    [
      [10, "off", "a"],
      [20, "off", "b"],
      [70, "off", "c"],
    ],
    moved("off", "c"),
  ],
  [
    "10 % of users get `a` and 20 % get `b` instead of `off`, by `u`. Those without a `u` get `c` instead of `off`",
    [
      [10, "off", "a"],
      [20, "off", "b"],
      [70, "off", "off"],
    ],
    moved("off", "c"),
  ],
  [
    "users change (10 %: `off` → `a`, 20 %: `x` → `b`, 70 %: `off` → `c`), by `u`. Those without a `u` get `c` instead of `off`",
    [
      [10, "off", "a"],
      [20, "x", "b"],
      [70, "off", "c"],
    ],
    moved("off", "c"),
  ],
  [
    "users change (50 %: `off` → `on`, 50 %: `on` → `off`), by `u`",
    [
      [50, "off", "on"],
      [50, "on", "off"],
    ],
    { restAfter: "on", armsBefore: new Set(), armsAfter: new Set() },
  ],
  [
    "`a` 10 → 30 %, `off` 90 → 70 %: of users who have both attributes, 20 % change (20 %: `off` → `a`), now by `u` instead of by `w`. Those who lack one of them may change, too",
    [
      [10, "a", "a"],
      [20, "off", "a"],
      [70, "off", "off"],
    ],
    { instead: { by: "w", seed: undefined } },
  ],
  [
    "20 % get `a`, now by `u` instead of by `w`; the rest `off`. Those who lack one of them may change, too",
    [
      [20, "off", "a"],
      [80, "off", "off"],
    ],
    { instead: { by: "w", seed: undefined } },
  ],
  [
    "`a` stays 20 %: 20 % of users change (10 %: `a` → `off`, 10 %: `off` → `a`), by `u`, now with the seed `s`",
    [
      [10, "a", "off"],
      [10, "off", "a"],
      [10, "a", "a"],
      [70, "off", "off"],
    ],
    { by: [{ by: "u", seed: "s" }], instead: { by: "u", seed: undefined } },
  ],
  [
    "`a` instead of `off` for 20 % of users, by `u`. Those without a `u` get `a` instead of `off`",
    [
      [20, "off", "a"],
      [80, "off", "off"],
    ],
    moved("off", "a"),
  ],
  [
    "the share of users who get `a` rises from 10 % to 30 %, by `u`",
    [
      [20, "off", "a"],
      [10, "a", "a"],
      [70, "off", "off"],
    ],
    { others: { before: "off", after: undefined } },
  ],
  [
    undefined,
    [
      [20, "off", "a"],
      [10, "a", "a"],
      [70, "off", "off"],
    ],
    { who: [inShare] },
  ],
  [
    "the share of users outside the first 10 % by `u` (seed `h`) who get `a` rises from 10 % to 30 %, by `u`",
    [
      [10, "a", "a"],
      [20, "off", "a"],
      [70, "off", "off"],
    ],
    { who: [inShare] },
  ],
  [
    "10 % of users change (5 %: `a` → `x`, 5 %: `b` → `y`), by `u` (seed `e`) and by `u` (seed `h`)",
    [
      [5, "a", "x"],
      [5, "b", "y"],
      [45, "a", "a", 1],
      [45, "b", "b", 1],
    ],
    experiment,
  ],
  [
    "`a` 50 → 45 %, `x` 0 → 10 %, `off` 50 → 45 %: 10 % of users change (5 %: `a` → `x`, 5 %: `off` → `x`), by `u` (seed `e`) and by `u` (seed `h`)",
    [
      [5, "a", "x"],
      [5, "off", "x"],
      [45, "a", "a", 1],
      [45, "off", "off", 1],
    ],
    experiment,
  ],
  [
    "everyone with a `u` gets `off`",
    [
      [50, "a", "off"],
      [50, "b", "off"],
    ],
    experiment,
  ],
  [
    "`a` 50 → 45 %, `b` 50 → 45 %, `off` 0 → 10 %: 10 % of users change (5 %: `a` → `off`, 5 %: `b` → `off`), by `u`",
    [
      [5, "a", "off"],
      [5, "b", "off"],
      [45, "a", "a", 1],
      [45, "b", "b", 1],
    ],
    {},
  ],
  [
    "of users who have both attributes, 10 % change (5 %: `a` → `off`, 5 %: `b` → `off`), now by `u` (seed `h`) instead of by `w`. Those who lack one of them may change, too",
    [
      [5, "a", "off"],
      [5, "b", "off"],
      [45, "a", "a", 1],
      [45, "b", "b", 1],
    ],
    { ...experiment, instead: { by: "w", seed: undefined } },
  ],
  [
    "21 % of users change (1 %: `a` → `b`, 2 %: `b` → `c`, 3 %: `c` → `d`, 4 %: `d` → `e`, 5 %: `e` → `f`, 6 %: `f` → `a`), by `u`",
    [
      [1, "a", "b"],
      [2, "b", "c"],
      [3, "c", "d"],
      [4, "d", "e"],
      [5, "e", "f"],
      [6, "f", "a"],
      [79, "off", "off"],
    ],
  ],
  [
    "28 % of users change (7 %: `g` → `a`, 6 %: `f` → `g`, 5 %: `e` → `f`, 4 %: `d` → `e`, 3 %: `c` → `d`, and 2 more), by `u`",
    [
      [1, "a", "b"],
      [2, "b", "c"],
      [3, "c", "d"],
      [4, "d", "e"],
      [5, "e", "f"],
      [6, "f", "g"],
      [7, "g", "a"],
      [72, "off", "off"],
    ],
  ],
  [
    "the share of users with `plan` `pro` who get `a` rises from 10 % to 30 %, by `u`, except users with `role` `staff` (rule 1)",
    [
      [10, "a", "a"],
      [20, "off", "a"],
      [70, "off", "off"],
    ],
    { who: [clause("plan", "pro"), { ...clause("role", "staff"), holds: false, rule: 1 }] },
  ],
  [
    "`a` instead of `off` for 20 % of users who have both attributes, by `id` and by `u`. Those without an `id` or a `u` get `a` instead of `off`",
    [
      [20, "off", "a"],
      [80, "off", "off"],
    ],
    {
      ...moved("off", "a"),
      by: [
        { by: "id", seed: undefined },
        { by: "u", seed: undefined },
      ],
    },
  ],
  [
    "`a` instead of `off` for 20 % of users, by `u`",
    [
      [10, "a", "a"],
      [20, "off", "a"],
      [70, "off", "off"],
    ],
    { armsBefore: new Set(["a", "off"]) },
  ],
  [
    "`a` instead of `off` for 20 % of users, by `u`",
    [
      [10, "a", "a"],
      [20, "off", "a"],
      [70, "off", "off"],
    ],
    { armsAfter: new Set(["a", "off"]) },
  ],
])("%s", (expected, shares, rest) => expect(words(shares, rest)).toBe(expected))
