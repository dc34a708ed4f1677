import { describe, expect, test } from "vitest"
import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { entryOf } from "./vectors.ts"

const operands: readonly (readonly [operator: string, value: string])[] = [
  ...["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith"].map(
    (operator) => [operator, "a"] as const,
  ),
  ...["in", "notIn"].map((operator) => [operator, '["a","b"]'] as const),
  ...["matches", "notMatches"].map((operator) => [operator, "(a+)+$"] as const),
  ...["greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals"].map(
    (operator) => [operator, "5"] as const,
  ),
  ...["Equals", "NotEquals", "GreaterThan", "GreaterThanOrEquals", "LessThan", "LessThanOrEquals"].map(
    (end) => [`semver${end}`, "1.2.3-rc.1"] as const,
  ),
  ...["before", "after"].map((operator) => [operator, "2026-01-01"] as const),
  ["exists", ""],
  ["notExists", ""],
  ["percentage", "50"],
  ["all", '[{"attribute":"x","operator":"notEquals","value":"a"}]'],
  ["none", '[{"attribute":"x","operator":"semverLessThan","value":"1.*"}]'],
]

/** A flag for each operator, which is on if the operator matches `x`. */
const evaluator = await compileEntries(
  operands.map(([operator, value]) =>
    entryOf({
      flag: { key: operator, defaultValue: false },
      environment: { enabled: true, rules: [{ attribute: "x", operator, value, returnValue: true }] },
    }),
  ),
)

/** The operators that match. */
function matching(context: Context): readonly string[] {
  return evaluator
    .evaluateAll(context)
    .filter((evaluation) => evaluation.kind === "evaluated" && evaluation.value === true)
    .map(({ key }) => key)
}

const missing = ["notExists", "none"]
const withoutText = ["exists", "none"]
const emptyList = [
  "notEquals",
  "notContains",
  "notIn",
  "notMatches",
  "semverNotEquals",
  "exists",
  "all",
  "none",
]

function throws(): never {
  throw new Error("read")
}
const cyclic: { self?: unknown } = {}
cyclic.self = cyclic
const cyclicList: unknown[] = []
cyclicList.push(cyclicList)
let deepList: unknown = "a"
for (let depth = 0; depth < 100_000; depth++) deepList = [deepList]
const revoked = Proxy.revocable([], {})
revoked.revoke()
const throwingProxy = new Proxy(
  {},
  { get: throws, has: throws, ownKeys: throws, getOwnPropertyDescriptor: throws },
)

describe("hostile contexts", () => {
  test.for<[string, Context]>([
    ["a getter that throws", Object.defineProperty({}, "x", { get: throws, enumerable: true })],
    ["a context that is a throwing proxy", throwingProxy],
    ["no context", null as unknown as Context],
    ["a text as context", "x" as unknown as Context],
    ["undefined", { x: undefined }],
    ["an inherited member", Object.create({ x: "a" })],
    ["a prototype by literal", JSON.parse('{"__proto__":{"x":"a"}}')],
  ])("%s: the attribute is missing", ([, context]) => expect(matching(context)).toEqual(missing))

  test.for<[string, unknown]>([
    ["a function", () => "a"],
    ["a symbol", Symbol("a")],
    ["a boxed text", new String("a")],
    ["a cyclic object", cyclic],
    ["an object that converts", { toString: () => "a", valueOf: () => 7, [Symbol.toPrimitive]: () => "a" }],
    ["an object that throws", { toString: throws, valueOf: throws }],
    ["a throwing proxy", throwingProxy],
    ["a revoked proxy", revoked.proxy],
    ["an invalid Date", new Date(Number.NaN)],
    ["an object that claims to be a Date", { [Symbol.toStringTag]: "Date", getTime: () => 0 }],
    ["an object with the prototype of Date", Object.create(Date.prototype)],
    ["a regular expression", /a/],
    ["a Map", new Map([["a", "a"]])],
    ["an array's likeness", { length: 1, 0: "a" }],
  ])("%s: the attribute has no text", ([, x]) => expect(matching({ x })).toEqual(withoutText))

  test.for<[string, unknown]>([
    ["a cyclic list", cyclicList],
    ["a deep list", deepList],
    ["a list that throws", Object.defineProperty([0], 0, { get: throws })],
    ["a list with holes", new Array(3)],
    ["a list of symbols", [Symbol("a")]],
  ])("%s: no element has a text", ([, x]) =>
    expect(matching({ x })).toEqual(emptyList.filter((operator) => operator !== "semverNotEquals")),
  )

  test("NaN and the infinities are numbers, which NaN compares with nothing", () => {
    expect(matching({ x: Number.NaN }).filter((key) => /Than/.test(key))).toEqual([])
    expect(matching({ x: Number.POSITIVE_INFINITY })).toEqual(
      expect.arrayContaining(["greaterThan", "greaterThanOrEquals", "after"]),
    )
    expect(matching({ x: Number.NEGATIVE_INFINITY })).toEqual(
      expect.arrayContaining(["lessThan", "lessThanOrEquals", "before"]),
    )
  })

  test("a list with a method of its own for `some` is read like others", () => {
    expect(matching({ x: Object.assign(["b"], { some: () => true }) })).not.toContain("equals")
  })

  test("a polluted prototype is not an attribute", () => {
    const prototype: Record<string, unknown> = Object.prototype as never
    prototype.x = "a"
    try {
      expect(matching({})).toEqual(missing)
    } finally {
      delete prototype.x
    }
  })

  test("a Date evaluates as its text does, even from another realm", async () => {
    const { runInNewContext } = await import("node:vm")
    const date = new Date("2026-01-31T12:00:00Z")
    const expected = matching({ x: date.toISOString() })
    expect(expected).toContain("after")
    expect(matching({ x: date })).toEqual(expected)
    expect(matching({ x: runInNewContext("new Date('2026-01-31T12:00:00Z')") })).toEqual(expected)
    expect(matching({ x: [date] })).toEqual(matching({ x: [date.toISOString()] }))
  })
})

describe("expressions take linear time", () => {
  test.for([
    "(a+)+$",
    "^(a|aa)+$",
    "(a*)*b",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*)(.*)(.*)(.*)=",
    "a{1,500}b",
  ])("%s", async (value) => {
    const flag = entryOf({
      flag: { key: "flag", defaultValue: false },
      environment: {
        enabled: true,
        rules: [{ attribute: "x", operator: "matches", value, returnValue: true }],
      },
    })
    const { evaluate } = await compileEntries([flag])
    const start = performance.now()
    evaluate("flag", { x: `${"a".repeat(100_000)}!` })
    evaluate("flag", { x: "x".repeat(100_000) })
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
