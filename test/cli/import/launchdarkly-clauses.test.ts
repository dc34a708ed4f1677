import { expect, test } from "vitest"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts, lossesIn, valuesOf } from "./import-text.ts"

const known = new Map([["big", ["ann"]]])
const segments = {
  pros: {
    included: ["ann"],
    excluded: ["bob"],
    rules: [{ clauses: [{ attribute: "plan", op: "in", values: ["pro"] }] }],
  },
  twoRules: {
    rules: [
      {
        clauses: [
          { attribute: "plan", op: "in", values: ["pro"] },
          { attribute: "seats", op: "lessThan", values: [5] },
        ],
      },
      { clauses: [{ attribute: "plan", op: "in", values: ["team"] }], weight: 100_000 },
    ],
  },
  big: { unbounded: true, included: ["bob"], excluded: ["ann"] },
  unknown: { unbounded: true },
  shared: { salt: "s", rules: [{ clauses: [], weight: 50_000, bucketBy: "team" }] },
  device: { includedContexts: [{ contextKind: "device", values: ["d1"] }] },
}

function importing(clauses: readonly object[]) {
  const a = {
    ...{ on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } },
    rules: [{ variation: 0, clauses }],
  }
  const text = JSON.stringify({ flags: { a }, segments })
  return importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }], { knownValues: known })
}

const clause = (attribute: string, op: string, values: readonly unknown[], more: object = {}) => ({
  ...{ attribute, op, values },
  ...more,
})
const not = { negate: true }
const inSegment = (...names: readonly string[]) => clause("", "segmentMatch", names)
const [day, nextDay] = ["2024-01-02T00:00:00Z", "2024-01-03T00:00:00Z"]

/** A clause, and the values of its attribute that match it, and that do not; `undefined`: it is missing. */
const cases: readonly (readonly [ReturnType<typeof clause>, readonly unknown[], readonly unknown[]])[] = [
  [clause("x", "in", ["a", "b"]), ["a", "b", ["z", "b"]], [undefined, "c", ["z"]]],
  [clause("x", "in", ["a"], not), ["b", ["z"]], [undefined, "a", ["z", "a"]]],
  [clause("x", "in", [1, true]), [1, true], [undefined, 2, false]],
  [clause("x", "in", []), [], [undefined, "a"]],
  [clause("x", "startsWith", ["a", "b"]), ["a", "bc"], [undefined, "ca"]],
  [clause("x", "startsWith", ["a"], not), ["ca"], [undefined, "ac"]],
  [clause("x", "startsWith", ["a", 5]), ["ab"], [5, "5"]],
  [clause("x", "endsWith", ["a", "b"]), ["a", "cb"], [undefined, "ac"]],
  [clause("x", "contains", ["a", "b"]), ["xax", "b"], [undefined, "c"]],
  [clause("x", "matches", ["^a+$", "b"]), ["aa", "xbx"], [undefined, "ac"]],
  [clause("x", "lessThan", [5]), [4, [9, 4]], [undefined, 5, 6]],
  [clause("x", "lessThan", [3, 5]), [4], [5]],
  [clause("x", "lessThan", ["5"]), [], [undefined, 4]],
  [clause("x", "lessThanOrEqual", [5]), [4, 5], [undefined, 6]],
  [clause("x", "greaterThan", [5]), [6], [undefined, 5, 4]],
  [clause("x", "greaterThanOrEqual", [5]), [5, 6], [undefined, 4]],
  [clause("x", "semVerEqual", ["1.2.3"]), ["1.2.3", "1.2.3+b"], [undefined, "1.2.4"]],
  [clause("x", "semVerEqual", ["1.2"]), ["1.2.0", "1.2"], ["1.2.1"]],
  [clause("x", "semVerEqual", ["v1", 1]), [], ["1.0.0", "v1"]],
  [clause("x", "semVerLessThan", ["1.2.3"]), ["1.2.2", "1.2.3-rc.1"], [undefined, "1.2.3", "1.10.0"]],
  [clause("x", "semVerGreaterThan", ["1.2.3"]), ["1.10.0"], [undefined, "1.2.3", "1.2.2"]],
  [clause("x", "before", [day]), ["2024-01-01T23:59:59Z"], [undefined, day, nextDay]],
  [
    clause("x", "after", [day]),
    [nextDay, "2024-01-02T00:30:00-01:00"],
    [undefined, day, "2024-01-02T00:30:00+01:00"],
  ],
  [clause("x", "before", [Date.parse(day)]), ["2024-01-01T00:00:00Z"], [day]],
  [clause("x", "after", ["2024-01-02"]), [], [nextDay]],
  [clause("anonymous", "in", [false]), [undefined, false], [true]],
  [clause("anonymous", "in", [true]), [true], [undefined, false]],
  [clause("anonymous", "in", [false], not), [true], [undefined, false]],
  [clause("anonymous", "in", [true], not), [undefined, false], [true]],
  [clause("/x", "in", ["a"], { contextKind: "user" }), ["a"], [undefined, "b"]],
]

test.each(cases)("%j is decided alike on both sides", async (one, matching, others) => {
  const found = await importing([one])
  expect(lossesIn(found).filter((loss) => !loss.startsWith("import-context-m"))).toEqual([])
  const name = one.attribute.replace("/", "")
  const contexts = [...matching, ...others].map((value) => ({ key: "u", [name]: value }))
  expect(await valuesOf(launchDarkly, found, contexts)).toEqual([
    ...matching.map(() => true),
    ...others.map(() => false),
  ])
})

test.each([
  [
    inSegment("pros"),
    [{ key: "ann" }, { key: "u", plan: "pro" }],
    [{ key: "u" }, { key: "bob", plan: "pro" }],
  ],
  [{ ...inSegment("pros"), negate: true }, [{ key: "u" }, { key: "bob" }], [{ key: "ann" }]],
  [inSegment("pros", "twoRules"), [{ key: "ann" }, { key: "u", plan: "team" }], [{ key: "u", seats: 4 }]],
  [
    inSegment("twoRules"),
    [{ key: "u", plan: "pro", seats: 4 }],
    [
      { key: "u", plan: "pro" },
      { key: "u", plan: "pro", seats: 5 },
    ],
  ],
  [inSegment("big"), [{ key: "ann" }], [{ key: "bob" }, { key: "u" }]],
  [clause("a/b~c", "in", ["x"]), [{ key: "u", "a/b~c": "x" }], [{ key: "u" }]],
  [clause("/a~1b~0c", "in", ["x"], { contextKind: "user" }), [{ key: "u", "a/b~c": "x" }], [{ key: "u" }]],
])("of %j both sides have the same users", async (one, matching, others) => {
  const found = await importing([one])
  expect(lossesIn(found).filter((loss) => !loss.startsWith("import-context-m"))).toEqual([])
  expect(await valuesOf(launchDarkly, found, [...matching, ...others])).toEqual([
    ...matching.map(() => true),
    ...others.map(() => false),
  ])
})

test.each([
  [inSegment("unknown"), "import-segment-keys: in the segment unknown: its keys are not in the file"],
  [inSegment("shared"), "import-share-rebucketed: in the segment shared: a share by team"],
  [inSegment("device"), "import-context-kind: in the segment device: the context kind device"],
  [clause("x", "near", [1]), "import-operator: the operator near"],
  [clause("x", "in", ["a", ["b"]]), "import-operand: a comparison with a list or an object"],
  [clause("x", "in", ["a"], { contextKind: "device" }), "import-context-kind: the context kind device"],
  [clause("kind", "in", ["user"]), "import-context-kind: the attribute kind"],
  [clause("", "in", ["a"]), "import-malformed: no attribute"],
  [clause("/", "in", ["a"], { contextKind: "user" }), "import-malformed: the reference /"],
  [clause("/a~2", "in", ["a"], { contextKind: "user" }), "import-malformed: the reference /a~2"],
  [clause("/a/b", "in", ["a"], { contextKind: "user" }), "import-attribute-path: the path /a/b"],
])("of %j it is said: %s", async (one, said) => {
  expect(lossesIn(await importing([one]))).toContain(said)
})

test("a share of a segment by an attribute has who lacks it", async () => {
  const found = await importing([inSegment("shared")])
  const file = found.sources.find(({ path }) => path.endsWith("shared.segment.yaml"))
  expect(file?.text).toBe(`any:
  - share: { by: team, to: 50, seed: shared.s }
  - { attribute: team, operator: notExists }
`)
})
