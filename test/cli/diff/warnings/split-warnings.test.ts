// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { replayContexts } from "../../../../cli/diff/changes/replay.ts"
import { runs } from "../../../runs.ts"
import { testHost } from "../../../test-host.ts"
import { diffOf, sideOf } from "../sides.ts"

type Share = readonly [percent: number, value: string]

/** A flag with a split, whose condition limits its users. */
function sideWith(
  shares: readonly Share[],
  {
    by = "id",
    seed = undefined as string | undefined,
    beside = {},
    enabled = true,
    first = [] as object[],
  } = {},
) {
  const split = {
    by,
    ...(seed !== undefined && { seed }),
    into: shares.map(([share, returnValue]) => ({ share, returnValue })),
  }
  const rules = [...first, { ...beside, split }]
  return sideOf({
    f: { type: "string", defaultValue: "none", environments: { production: { enabled, rules } } },
  })
}

const thirds: readonly Share[] = [
  [30, "a"],
  [30, "b"],
  [30, "c"],
]
const german = { attribute: "country", operator: "equals", value: "DE" }

function warnings(...sides: readonly [ReturnType<typeof sideWith>, ReturnType<typeof sideWith>]) {
  return diffOf(...sides).warnings.map(
    ({ code, message }) => `${code} ${/[\d.]+ %/.exec(message)?.[0] ?? ""}`,
  )
}

describe("a split", () => {
  test.each<readonly [string, readonly Share[], readonly string[]]>([
    [
      "a share grows at the next one's cost",
      [
        [20, "a"],
        [40, "b"],
        [30, "c"],
      ],
      ["users-rebucketed 10 %"],
    ],
    [
      "two change places",
      [
        [30, "b"],
        [30, "a"],
        [30, "c"],
      ],
      ["many-change 60 %"],
    ],
    [
      "two become one",
      [
        [30, "a"],
        [60, "b"],
      ],
      ["users-rebucketed 30 %"],
    ],
    ["a new one comes first", [[10, "d"], ...thirds], ["users-rebucketed 40 %"]],
    [
      "a new one takes from another",
      [
        [30, "a"],
        [20, "b"],
        [10, "d"],
        [30, "c"],
      ],
      ["users-rebucketed 10 %"],
    ],
    [
      "a share gets a new value",
      [
        [30, "a"],
        [30, "b"],
        [30, "z"],
      ],
      [],
    ],
  ])("%s", (_, shares, expected) => {
    expect(warnings(sideWith(thirds), sideWith(shares))).toEqual(expected)
    const beside = { beside: german }
    expect(warnings(sideWith(thirds, beside), sideWith(shares, beside))).toEqual(expected)
  })

  test("by a different attribute, or for different users, is a different split", () => {
    expect(warnings(sideWith(thirds), sideWith(thirds, { by: "account" }))).toEqual(["many-change 72 %"])
    const account = sideWith(thirds, { by: "account", beside: german })
    expect(warnings(sideWith(thirds, { beside: german }), account)).toEqual(["many-change 72 %"])
    // German users were in the split before, too.
    expect(warnings(sideWith(thirds), sideWith(thirds.toReversed(), { beside: german }))).toEqual([
      "many-change 90 %",
    ])
  })

  test("that has the default among its values moves users like any other", () => {
    const halves = (control: number) =>
      [
        [control, "none"],
        [50, "green"],
      ] as const
    expect(warnings(sideWith(halves(50)), sideWith(halves(40)))).toEqual(["users-rebucketed 20 %"])
    const three = (green: number) =>
      [
        [green, "green"],
        [10, "none"],
        [10, "blue"],
      ] as const
    expect(warnings(sideWith(three(10)), sideWith(three(20)))).toEqual(["users-rebucketed 30 %"])
  })

  test("that is removed takes the value from the users of all its shares in one warning", () => {
    const shares: readonly Share[] = [
      [10, "a"],
      [20, "b"],
    ]
    expect(warnings(sideWith(shares), sideWith(shares, { enabled: false }))).toEqual(["users-lose 30 %"])
    const [ofSome] = diffOf(sideWith(shares), sideWith(shares, { beside: german })).warnings
    expect(ofSome?.message).toBe(
      'In `production`, 30 % of users outside `DE` lose `"a"` or `"b"` and get `"none"`. Check that this is intended.',
    )
    const odd: readonly Share[] = [
      [0.1, "a"],
      [32.3, "b"],
      [25.7, "c"],
    ]
    expect(warnings(sideWith(odd), sideWith(odd, { enabled: false }))).toEqual(["many-change 58.1 %"])
    const ofDefault = sideWith([...shares, [5, "none"]])
    expect(warnings(ofDefault, sideWith([...shares, [5, "none"]], { enabled: false }))).toEqual([
      "users-lose 30 %",
    ])
  })

  test("with a new seed says how many get a different value", () => {
    const again = (from?: string, to?: string, rest = {}) =>
      warnings(sideWith(thirds, { seed: from, ...rest }), sideWith(thirds, { seed: to, ...rest }))
    expect(again("one", "two")).toEqual(["many-change 72 %"])
    expect(again(undefined, "two", { beside: german })).toEqual(["many-change 72 %"])
    expect(again("one", undefined, { first: [{ ...german, returnValue: "x" }] })).toEqual([
      "many-change 72 %",
    ])
    expect(again("f", undefined)).toEqual([]) // the flag's own key
    const [removed] = diffOf(sideWith(thirds, { seed: "one" }), sideWith(thirds)).warnings
    expect(removed?.message).toMatch(
      / % of users get .* \(limit: 50 %\)\. Users are picked by a different seed: keep the seed, or /,
    )
  })

  test("that reaches no one, before or after, re-buckets no one", () => {
    const everyone = { first: [{ attribute: "id", operator: "exists", returnValue: "x" }] }
    expect(warnings(sideWith(thirds, everyone), sideWith(thirds.toReversed(), everyone))).toEqual([])
    expect(warnings(sideWith(thirds, { enabled: false }), sideWith(thirds.toReversed()))).toEqual([
      "many-change 90 %",
      "on-before-staging ",
    ])
  })

  test("says how many a new seed re-buckets, as many as change their value among a thousand contexts", async () => {
    const [before, after] = [
      sideWith(thirds),
      sideWith(
        [
          [20, "a"],
          [50, "c"],
        ],
        { seed: "two" },
      ),
    ]
    const [{ message } = { message: "" }] = diffOf(before, after).warnings
    const lines = Array.from({ length: 1_000 }, (_, at) => `{"id":"user-${at}"}\n`)
    const { affected } = await replayContexts(
      "-",
      before,
      after,
      undefined,
      testHost({ stdin: lines.join("") }),
    )
    expect(Math.abs(Number(/([\d.]+) % of users/.exec(message)?.[1]) - affected / 10)).toBeLessThan(4)
  })

  test("says how many", () => {
    const shares = fc
      .array(
        fc.tuple(
          fc.integer({ min: 1, max: 300 }).map((tenths) => 10 * tenths),
          fc.constantFrom("a", "b", "c", "d"),
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      )
      .map((list) =>
        list.filter((_, at) => list.slice(0, at + 1).reduce((sum, [one]) => sum + one, 0) <= 10_000),
      )
    fc.assert(
      fc.property(shares, shares, (before, after) => {
        const slots = (list: readonly (readonly [number, string])[]) => {
          const values = list.flatMap(([count, value]) => Array<string>(count).fill(value))
          return [...values, ...Array<string>(10_000 - values.length).fill("none")]
        }
        const [one, other] = [slots(before), slots(after)]
        const [sizes, newSizes] = [one, other].map((values) => Map.groupBy(values, (value) => value))
        const moved = one.flatMap((value, at) =>
          value === other[at] ? [] : [[value, other[at] ?? ""] as const],
        )
        const arms = moved.filter(([from]) => from !== "none")
        const lost = arms.filter(([, to]) => to === "none")
        const isMixed = arms.some(([from, to]) => sizes?.has(to) || newSizes?.has(from))
        const expected = [
          ["everyone-changes", moved.length === 10_000 ? 0 : undefined],
          ["many-change", moved.length >= 5_000 ? moved.length : undefined],
          ["users-lose", lost.length || undefined],
          ["users-rebucketed", isMixed ? moved.length : undefined],
        ]
          .filter(([, size]) => size !== undefined)
          .slice(0, 1)
          .map(([code, size]) => (size === 0 ? `${code} ` : `${code} ${Number(size) / 100} %`))
        const side = (list: typeof before) => sideWith(list.map(([size, value]) => [size / 100, value]))
        expect(warnings(side(before), side(after))).toEqual(expected)
      }),
      { numRuns: runs(10) },
    )
  })
})
