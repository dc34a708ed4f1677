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
