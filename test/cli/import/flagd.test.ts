import { expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import { importTexts, lossesIn, valuesOf } from "./import-text.ts"

function importing(flag: object, evaluators: object = {}) {
  const a = { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off", ...flag }
  const text = JSON.stringify({ $evaluators: evaluators, flags: { a } })
  return importTexts(flagd, [{ path: "a.json", text, environment: undefined }])
}

const [plan, seats, version] = ["plan", "seats", "version"].map((name) => ({ var: name }))
const isPro = { "===": [plan, "pro"] }
const isLarge = { ">": [seats, 5] }

type Context = Readonly<Record<string, unknown>>
const plans = (...values: readonly unknown[]): readonly Context[] => values.map((value) => ({ plan: value }))
const sizes = (...values: readonly unknown[]): readonly Context[] => values.map((value) => ({ seats: value }))
const versions = (...values: readonly string[]): readonly Context[] =>
  values.map((value) => ({ version: value }))

/** A condition, contexts that it matches, and contexts that it does not match. */
const cases: readonly (readonly [unknown, readonly Context[], readonly Context[]])[] = [
  [plan, plans("pro", true, 1), plans(undefined, false, 0)],
  [{ var: ["plan"] }, plans("pro"), [{}]],
  [{ "!": [plan] }, [{}, ...plans(false, 0)], plans("pro", true)],
  [{ "!!": [plan] }, plans("pro"), [{}]],
  [true, [{}], []],
  [false, [], [{}]],
  [1, [{}], []],
  ["", [], [{}]],
  [null, [], [{}]],
  [
    { and: [isPro, isLarge, { "!": [version] }] },
    [{ plan: "pro", seats: 6 }],
    [{ plan: "pro" }, { seats: 6 }, { plan: "pro", seats: 6, version: "1" }],
  ],
  [{ or: [isPro, isLarge] }, [...plans("pro"), ...sizes(6)], [{}, { plan: "x", seats: 5 }]],
  [
    { if: [isPro, isLarge, { "!": [isLarge] }] },
    [{ plan: "pro", seats: 6 }, { seats: 5 }],
    [{ plan: "pro", seats: 5 }, { seats: 6 }],
  ],
  [{ "?:": [isPro, true, false] }, plans("pro"), plans("x")],
  [{ if: [isPro, true] }, plans("pro"), plans("x")],
  [
    { if: [isPro, false, isLarge, true, { "===": [version, "1"] }] },
    [{ seats: 6 }, { version: "1" }],
    [{ plan: "pro", seats: 6 }, {}],
  ],
  [{ if: [isPro] }, plans("pro"), plans("x")],
  [{ "==": [plan, "pro"] }, plans("pro"), [{}, ...plans("Pro")]],
  [{ "==": ["pro", plan] }, plans("pro"), [{}, ...plans("Pro")]],
  [{ "==": [seats, 5] }, sizes(5), [{}, ...sizes(4, 6)]],
  [{ "===": [seats, 5] }, sizes(5), [{}, ...sizes(4, 6)]],
  [{ "==": [plan, null] }, [{}], plans("pro")],
  [{ "===": [plan, true] }, plans(true), [{}, ...plans(false)]],
  [{ "!=": [plan, "pro"] }, [{}, ...plans("x")], plans("pro")],
  [{ "!==": [plan, "pro"] }, [{}, ...plans("x")], plans("pro")],
  [{ in: [plan, ["pro", "team"]] }, plans("pro", "team"), [{}, ...plans("x")]],
  [{ in: [seats, [5, 6]] }, sizes(5, 6), [{}, ...sizes(7)]],
  [{ in: ["pro", plan] }, plans("pro", "xprox"), [{}, ...plans("x")]],
  [{ starts_with: [plan, "pro"] }, plans("pro", "prox"), [{}, ...plans("xpro")]],
  [{ ends_with: [plan, "pro"] }, plans("pro", "xpro"), [{}, ...plans("prox")]],
  [{ starts_with: [plan, 5] }, [], [{}, ...plans("5", 5)]],
  [{ "<": [seats, 5] }, [{}, ...sizes(4)], sizes(5, 6)],
  [{ "<=": [seats, 5] }, [{}, ...sizes(4, 5)], sizes(6)],
  [{ ">": [seats, 5] }, sizes(6), [{}, ...sizes(4, 5)]],
  [{ ">=": [seats, 5] }, sizes(5, 6), [{}, ...sizes(4)]],
  [{ ">": [seats, -1] }, [{}, ...sizes(0)], sizes(-1)],
  [{ ">=": [seats, 0] }, sizes(0), [{}, ...sizes(-1)]],
  [{ "<=": [seats, 0] }, sizes(0, -1), [{}, ...sizes(1)]],
  [{ "<=": [seats, 1] }, [{}, ...sizes(0)], sizes(2)],
  [{ "<": [seats, 0] }, sizes(-1), [{}, ...sizes(0)]],
  [{ "<": [5, seats] }, sizes(6), [{}, ...sizes(4, 5)]],
  [{ "<=": [5, seats] }, sizes(5, 6), [{}, ...sizes(4)]],
  [{ ">": [5, seats] }, [{}, ...sizes(4)], sizes(5, 6)],
  [{ ">=": [5, seats] }, [{}, ...sizes(4, 5)], sizes(6)],
  [{ "<": [1, seats, 5] }, sizes(2, 4), [{}, ...sizes(1, 5)]],
  [{ "<=": [1, seats, 5] }, sizes(1, 5), [{}, ...sizes(0, 6)]],
  [{ ">": [5, seats, 1] }, sizes(2, 4), [{}, ...sizes(1, 5)]],
  [{ ">=": [5, seats, 1] }, sizes(1, 5), [{}, ...sizes(0, 6)]],
  [{ sem_ver: [version, "=", "1.2.3"] }, versions("1.2.3", "v1.2.3"), [{}, ...versions("1.2.4", "x")]],
  [{ sem_ver: [version, "!=", "1.2.3"] }, versions("1.2.4", "v2.0.0"), versions("1.2.3", "v1.2.3")],
  [{ sem_ver: [version, "<", "v1.2.3"] }, versions("1.2.2", "1.2.3-rc.1"), versions("1.2.3", "1.10.0")],
  [{ sem_ver: [version, "<=", "1.2.3"] }, versions("1.2.2", "1.2.3"), versions("1.2.4")],
  [{ sem_ver: [version, ">", "1.2.3"] }, versions("1.2.4", "1.10.0"), versions("1.2.3")],
  [{ sem_ver: [version, ">=", "1.2.3"] }, versions("1.2.3", "2.0.0"), versions("1.2.2")],
  [{ sem_ver: [version, "^", "1.2.3"] }, versions("1.0.0", "1.9.0"), versions("2.0.0", "0.1.0")],
  [{ sem_ver: [version, "~", "1.2.3"] }, versions("1.2.0", "1.2.9"), versions("1.3.0", "2.2.3")],
  [{ sem_ver: [version, "~", "1"] }, versions("1.0.9"), versions("1.1.0")],
  [{ sem_ver: [version, "=", "one"] }, [], [{}, ...versions("one", "1.0.0")]],
  [{ $ref: "isPro" }, plans("pro"), [{}]],
]

test.each(cases)("%j is decided alike on both sides", async (condition, matching, others) => {
  const found = await importing({ targeting: { if: [condition, "on"] } }, { isPro })
  expect(lossesIn(found).filter((one) => !one.startsWith("import-context-"))).toEqual([])
  expect(await valuesOf(flagd, found, [...matching, ...others])).toEqual([
    ...matching.map(() => true),
    ...others.map(() => false),
  ])
})

/** A condition, and what is said of it. */
const unreadable: readonly (readonly [unknown, string])[] = [
  [["pro"], "import-logic: not a JsonLogic operation"],
  [{ "===": [plan, "pro"], in: [] }, "import-logic: not a JsonLogic operation"],
  [{ "<": [seats] }, "import-logic: the operation <"],
  [{ "<": [] }, "import-logic: the operation <"],
  [{ "%": [seats, 2] }, "import-logic: the operation %"],
  [{ var: ["plan", "x"] }, "import-logic: var with more than a name"],
  [{ var: [] }, "import-logic: var with more than a name"],
  [{ "==": [plan, seats] }, "import-logic: a comparison that is not between an attribute and a value"],
  [{ "==": ["a", "b"] }, "import-logic: a comparison that is not between an attribute and a value"],
  [{ "==": [plan, ["pro"]] }, "import-logic: a comparison with a list or an object"],
  [{ in: ["pro", ["pro"]] }, "import-logic: in without an attribute and a list of strings"],
  [{ in: [plan, ["pro", null]] }, "import-logic: in without an attribute and a list of strings"],
  [{ in: ["pro", "prox"] }, "import-logic: in without an attribute and a string"],
  [{ in: [5, plan] }, "import-logic: in without an attribute and a string"],
  [{ "<": [1, 2] }, "import-logic: < or > that does not compare an attribute with a number"],
  [{ "<": [seats, "5"] }, "import-logic: < or > that does not compare an attribute with a number"],
  [{ starts_with: ["pro", "p"] }, "import-logic: starts_with without an attribute"],
  [{ sem_ver: ["1.2.3", "=", "1.2.3"] }, "import-logic: sem_ver without an attribute"],
  [{ sem_ver: [version, "==", "1.2.3"] }, "import-logic: sem_ver with an unknown operator"],
  [{ sem_ver: [version, null, "1.2.3"] }, "import-logic: sem_ver with an unknown operator"],
  [{ "===": [{ var: "user.plan" }, "pro"] }, "import-attribute-path: the path user.plan"],
  [{ "<": [{ var: "$flagd.timestamp" }, 5] }, "import-schedule: $flagd.timestamp"],
  [{ $ref: "gone" }, "import-segment-missing: the segment gone is not in the files"],
  [{ $ref: "round" }, "import-malformed: in the segment round: the segment round refers to itself"],
  [{ $ref: "odd" }, "import-logic: in the segment odd: the operation %"],
]

test.each(unreadable)("of the condition %j it is said: %s", async (condition, said) => {
  const evaluators = { round: { $ref: "round" }, odd: { "%": [seats, 2] } }
  const found = await importing({ targeting: { if: [condition, "on"] } }, evaluators)
  expect(lossesIn(found)).toContain(said)
  expect(found.sources).toEqual([])
})

const path = { var: "user.plan" }
test.each([
  { "==": ["pro", path] },
  { in: [path, ["pro"]] },
  { in: ["pro", path] },
  { starts_with: [path, "p"] },
  { sem_ver: [path, "=", "1.2.3"] },
  { "<": [path, 5] },
])("a path is one loss: %j", async (condition) => {
  const found = await importing({ targeting: { if: [condition, "on"] } })
  expect(lossesIn(found)).toEqual(["import-attribute-path: the path user.plan"])
})

/** A flag, contexts with the values that they get, and what is lost besides contexts with other types. */
const targeted: readonly (readonly [object, readonly (readonly [Context, unknown])[], readonly string[]])[] =
  [
    [{}, [[{}, false]], []],
    [{ targeting: {} }, [[{}, false]], []],
    [{ targeting: "on" }, [[{}, true]], []],
    [
      { targeting: { if: [isPro, "on"] } },
      [
        [{ plan: "pro" }, true],
        [{}, false],
      ],
      [],
    ],
    [
      { targeting: { "?:": [isPro, "on", "off"] } },
      [
        [{ plan: "pro" }, true],
        [{}, false],
      ],
      [],
    ],
    [
      { defaultVariant: "on", targeting: { if: [isPro, "off", null] } },
      [
        [{ plan: "pro" }, false],
        [{}, true],
      ],
      [],
    ],
    [
      { targeting: { if: [isPro, null, "on"] } },
      [
        [{ plan: "pro" }, false],
        [{}, true],
      ],
      [],
    ],
    [
      { targeting: { if: [isPro, { if: [isLarge, "on", "off"] }, isLarge, "off", "on"] } },
      [
        [{ plan: "pro", seats: 6 }, true],
        [{ plan: "pro" }, false],
        [{ seats: 6 }, false],
        [{}, true],
      ],
      [],
    ],
    [
      { variants: { true: 1, false: 2 }, defaultVariant: "true", targeting: isPro },
      [
        [{ plan: "pro" }, 1],
        [{}, 2],
      ],
      [],
    ],
    ...[{ ends_with: [plan, "pro"] }, { starts_with: [plan, "pro"] }, { $ref: "ends" }].map(
      (targeting) =>
        [
          { variants: { true: true, false: false }, defaultVariant: "true", targeting },
          [
            [{ plan: "pro" }, true],
            [{ plan: "x" }, false],
            [{}, true],
          ],
          [],
        ] as const,
    ),
    [
      { targeting: { $ref: "ruled" } },
      [
        [{ plan: "pro" }, true],
        [{}, false],
      ],
      [],
    ],
    [
      { variants: { true: 1, false: 2 }, defaultVariant: "true", targeting: { $ref: "isPro" } },
      [
        [{ plan: "pro" }, 1],
        [{}, 2],
      ],
      [],
    ],
    [
      {
        targeting: {
          fractional: [
            ["on", 1],
            ["off", 0],
          ],
        },
      },
      [
        [{ targetingKey: "u" }, true],
        [{}, false],
      ],
      [],
    ],
    [
      { targeting: { fractional: [["on"]] } },
      [
        [{ targetingKey: "u" }, true],
        [{}, false],
      ],
      [],
    ],
    [
      { targeting: { fractional: [["on", 0]] } },
      [
        [{ targetingKey: "u" }, false],
        [{}, false],
      ],
      [],
    ],
    [
      { targeting: { if: [isPro] } },
      [],
      [
        "import-malformed: if without a list of a condition and a variant",
        "import-malformed: the flag has no variant true",
        "import-malformed: the flag has no variant false",
      ],
    ],
    [
      { targeting: ["on"] },
      [],
      ["import-malformed: not JsonLogic, which is an object with one operation, such as if with a list"],
    ],
    [{ targeting: { if: [isPro, "gone"] } }, [], ["import-malformed: the flag has no variant gone"]],
    [{ targeting: { var: "plan" } }, [], ["import-logic: a calculated variant name"]],
    [
      { defaultVariant: "gone" },
      [],
      ["import-malformed: the flag has no variant gone, so flagd refuses the whole file"],
    ],
    [{ state: "DISABLED" }, [], ["import-caller-default: when disabled, it returns the caller's default"]],
    [{ defaultVariant: null }, [], ["import-caller-default: it has no defaultVariant"]],
    [
      { targeting: { fractional: [{ cat: [plan, seats] }, ["on", 1], ["off", 1]] } },
      [],
      [
        "import-bucketing: shares by something other than one attribute",
        "import-share-rebucketed: shares by plan",
      ],
    ],
    [
      { targeting: { fractional: ["x", ["on", 1], ["off", 1]] } },
      [],
      [
        "import-bucketing: shares by something other than one attribute",
        "import-share-rebucketed: shares by targetingKey",
      ],
    ],
    [
      { targeting: { fractional: [{ var: "user.id" }, ["on", 1], ["off", 1]] } },
      [],
      ["import-attribute-path: the path user.id", "import-share-rebucketed: shares by user.id"],
    ],
    [
      {
        targeting: {
          fractional: [
            ["on", { var: "n" }],
            ["off", 1],
          ],
        },
      },
      [],
      ["import-logic: a calculated weight"],
    ],
  ]

test.each(targeted)("the flag %j gives each context its value", async (flag, values, losses) => {
  const found = await importing(flag, {
    ...{ ruled: { if: [isPro, "on", "off"] }, isPro },
    ends: { ends_with: [plan, "pro"] },
  })
  const remarks = found.remarks.map(({ text }) => text).filter((text) => text.endsWith("left out"))
  if (losses.length === 0) expect(remarks).toEqual([])
  expect(lossesIn(found).filter((one) => !one.startsWith("import-context-"))).toEqual(losses)
  expect(
    await valuesOf(
      flagd,
      found,
      values.map(([context]) => context),
    ),
  ).toEqual(values.map(([, value]) => value))
})

test("a named condition is a segment, and a named list of rules is not", async () => {
  const found = await importing({ targeting: { if: [{ $ref: "isPro" }, "on"] } }, { isPro })
  expect(found.sources.map(({ path }) => path)).toEqual([
    "/flags/segments/isPro.segment.yaml",
    "/flags/a.yaml",
  ])
  const boolean = { variants: { true: 1, false: 2 }, defaultVariant: "true" }
  const direct = await importing({ ...boolean, targeting: { $ref: "isPro" } }, { isPro })
  expect(direct.sources.map(({ path }) => path)).toEqual([
    "/flags/segments/isPro.segment.yaml",
    "/flags/a.yaml",
  ])
  const ruled = await importing({ targeting: { $ref: "ruled" } }, { ruled: { if: [isPro, "on", "off"] } })
  expect(ruled.sources.map(({ path }) => path)).toEqual(["/flags/a.yaml"])
  const gone = await importing({ ...boolean, targeting: { $ref: "gone" } })
  expect(lossesIn(gone)).toEqual(["import-segment-missing: the segment gone is not in the files"])
})

test.each([[true], [{ or: [true, isPro] }], [false], [{ and: [false, isPro] }]])(
  "a named condition of %j is written where it is used",
  async (always) => {
    const found = await importing(
      { targeting: { if: [{ $ref: "all" }, "on", isPro, "on"] } },
      { all: always },
    )
    expect(found.sources.map(({ path }) => path)).toEqual(["/flags/a.yaml"])
  },
)

const flagKey = { var: "$flagd.flagKey" }
test.each([
  [[], "by: targetingKey", false],
  [[{ var: "company" }], "by: company, seed: flagd", true],
  [[{ cat: [flagKey, { var: "company" }] }], "by: company", false],
  [[{ cat: ["salt-", { var: "company" }] }], "by: company, seed: salt-", false],
  [[{ cat: ["salt-", flagKey, { var: "targetingKey" }] }], "by: targetingKey, seed: salt-a", false],
])("shares by %j keep the users of each other flag, or change them: %s", async (first, split, isSpared) => {
  const fractional = [...first, ["on", 3], ["off"], ["on", -1]]
  const found = await importing({ targeting: { fractional } })
  expect(lossesIn(found).filter((one) => !/import-(?:context-|share-)/.test(one))).toEqual([])
  const [text = ""] = found.sources.map((one) => one.text)
  const splits = [...text.matchAll(/split:\n((?: +(?:by|seed): .*\n)+) +into:\n((?: +- .*\n)+)/g)]
  expect(splits.map(([, by = ""]) => by.trim().replace(/\n +/g, ", "))).toEqual([
    split,
    ...(isSpared ? ["by: targetingKey"] : []),
  ])
  expect(splits[0]?.[2]?.match(/share: [\d.]+/g)).toEqual(["share: 75", "share: 25"])
  expect(found.tally).toMatchObject({ withShares: 1, sharesCompared: 1 })
})

test("an id that is joined with a text is only re-bucketed, unless it is missing: flagd then hashes the text", async () => {
  const shares = [
    ["on", 50],
    ["off", 50],
  ]
  const found = await importing({ targeting: { fractional: [{ cat: [flagKey, { var: "id" }] }, ...shares] } })
  // The hash of `a` is at 0.23.
  expect(lossesIn(found)).toEqual([
    "import-share-rebucketed: shares by id",
    "import-context-missing: no id, such as {}: true in flagd, false in Flagstone",
    'import-context-mistyped: an unexpected id, such as {"id":""}: true in flagd, false in Flagstone',
  ])
})

test("a list is a difference where the source may look into one", async () => {
  const found = await importing({ targeting: { if: [{ in: ["pro", plan] }, "on"] } })
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["differs"])
  expect(lossesIn(found)).toEqual([expect.stringMatching(/^import-context-mistyped: /)])
  expect(found.remarks).toEqual([])
})
