import { expect, test } from "vitest"
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
    coversOthers: true,
    ...rest,
  }
  const sentence = userSplitWords(split, (value) => phrase`${value}`)
  return sentence && plainPhrase(sentence)
}

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
    undefined,
    [
      [20, "a", "off"],
      [80, "off", "off"],
    ],
  ],
  [
    "10 % get `a`, 90 % `b`, by `id` and by `u` with the seed `s`; those without an `id` or a `u` get `off`",
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
    "10 % of users get `a` and 20 % get `b` instead of `off`, by `u`. Those without a `u` get `c` instead of `off`",
    [
      [10, "off", "a"],
      [20, "off", "b"],
      [70, "off", "off"],
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
    "20 % get `a`, now by `u` instead of by `w`; the rest `off`",
    [
      [20, "off", "a"],
      [80, "off", "off"],
    ],
    { instead: { by: "w", seed: undefined } },
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
    undefined,
    [
      [20, "off", "a"],
      [10, "a", "a"],
      [70, "off", "off"],
    ],
    { who: [inShare] },
  ],
  [
    "10 % of users change (5 %: `a` → `x`, 5 %: `b` → `y`), by `u` with the seed `e` and by `u` with the seed `h`",
    [
      [5, "a", "x"],
      [5, "b", "y"],
      [45, "a", "a", 1],
      [45, "b", "b", 1],
    ],
    experiment,
  ],
  [
    "10 % of users change (5 %: `a` → `x`, 5 %: `off` → `x`), by `u` with the seed `e` and by `u` with the seed `h`",
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
    "of users who have both attributes, 10 % change (5 %: `a` → `off`, 5 %: `b` → `off`), now by `u` with the seed `h` instead of by `w`",
    [
      [5, "a", "off"],
      [5, "b", "off"],
      [45, "a", "a", 1],
      [45, "b", "b", 1],
    ],
    { ...experiment, instead: { by: "w", seed: undefined } },
  ],
])("%s", (expected, shares, rest) => expect(words(shares, rest)).toBe(expected))
