import { describe, expect, test } from "vitest"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { entryOf } from "./vectors.ts"

const rule = (attribute: string, operator: string, value: string, returnValue: string) => ({
  attribute,
  operator,
  value,
  returnValue,
})
const flag = (key: string, enabled: boolean, ...rules: readonly ReturnType<typeof rule>[]) =>
  entryOf({ flag: { key, defaultValue: "default" }, environment: { enabled, rules } })

const evaluator = await createEvaluator({
  flags: [
    flag(
      "banner",
      true,
      rule("plan", "equals", "pro", "blue"),
      rule("id", "percentage", "99", "green"),
      rule("where", "isNear", "Berlin", "red"),
      rule("", "always", "", "grey"),
    ),
    flag("disabled", false, rule("", "always", "", "grey")),
    flag("open", true, rule("", "always", "", "grey")),
    flag("plain", true),
    entryOf({ flag: { key: "unconfigured", defaultValue: "default" }, environment: null }),
  ],
})

describe("evaluate", () => {
  test.for([
    ["banner", { plan: "pro" }, { value: "blue", cause: "rule", ruleId: "rule-0" }],
    ["disabled", {}, { value: "default", cause: "disabled", ruleId: undefined }],
    ["open", {}, { value: "grey", cause: "always", ruleId: "rule-0" }],
    ["plain", {}, { value: "default", cause: "default", ruleId: undefined }],
    ["unconfigured", {}, { value: "default", cause: "unconfigured", ruleId: undefined }],
  ] as const)("%s in %j", ([key, context, expected]) => {
    expect(evaluator.evaluate(key, context)).toEqual({ kind: "evaluated", key, ...expected })
  })

  test.for([
    ["equals", "9007199254740992", true],
    ["equals", "9007199254740993", false],
    ["greaterThan", "9e15", true],
    ["after", "2026-01-01", true],
    ["percentage", "100", true],
  ] as const)("a BigInt is a number: %s %s", async ([operator, operand, matches]) => {
    const { evaluate } = await createEvaluator({
      flags: [flag("big", true, rule("x", operator, operand, "yes"))],
    })
    expect(evaluate("big", { x: 2n ** 53n + 1n }).value === "yes").toBe(matches)
  })

  test("a share is a separate cause", () => {
    const { evaluate } = evaluator
    expect(evaluate("banner", { id: "user-3" })).toMatchObject({ value: "green", cause: "share" })
  })
  test("a flag that the document does not have", () => {
    for (const key of ["Banner", "constructor", "__proto__"])
      expect(evaluator.evaluate(key, {})).toEqual({ kind: "unknownFlag", key })
  })
  test("the project's own operator ends the evaluation", () => {
    expect(evaluator.evaluate("banner", {})).toEqual({
      kind: "unknownOperator",
      key: "banner",
      ruleId: "rule-2",
      operator: "isNear",
    })
  })
  test("expressions at any depth, however they are written", async () => {
    const nested = JSON.stringify([
      rule("", "all", '[{"attribute":"plan","operator":"m\\u0061tches","value":"^p"}]', ""),
    ])
    const { evaluate } = await createEvaluator({
      flags: [flag("deep", true, rule("", "any", nested, "blue"))],
    })
    expect(evaluate("deep", { plan: "pro" })).toMatchObject({ value: "blue" })
  })
  test("an operand of megabytes never throws", async () => {
    const version = `1${".1".repeat(5_000_000)}`
    const { evaluate } = await createEvaluator({
      flags: [flag("long", true, rule("v", "semverEquals", version, "blue"))],
    })
    expect(evaluate("long", { v: "1" })).toMatchObject({ value: "default" })
  })
  test("an evaluation cannot be changed for later callers", () => {
    expect(Object.isFrozen(evaluator.evaluate("banner", { plan: "pro" }))).toBe(true)
    expect(Object.isFrozen(evaluator.evaluate("banner", {}))).toBe(true)
    expect(Object.isFrozen(evaluator.evaluate("plain", {}))).toBe(true)
  })
})

test("evaluateAll gives each flag what evaluate gives, in the order of the document", () => {
  for (const context of [{}, { plan: "pro" }]) {
    const all = evaluator.evaluateAll(context)
    expect(all.map(({ key }) => key)).toEqual(["banner", "disabled", "open", "plain", "unconfigured"])
    expect(all).toEqual(all.map(({ key }) => evaluator.evaluate(key, context)))
  }
})

describe("explain", () => {
  test("shows for each rule whether it matches, why, and whether it was reached", () => {
    const { evaluation, rules } = evaluator.explain("banner", { plan: ["free", null, 5], id: "user-1" })
    expect(evaluation).toEqual(evaluator.evaluate("banner", { plan: ["free", null, 5], id: "user-1" }))
    expect(rules.map(({ condition, ...rule }) => ({ ...rule, ...condition }))).toMatchObject([
      {
        ruleId: "rule-0",
        isReached: true,
        attribute: "plan",
        operator: "equals",
        value: "pro",
        truth: false,
        reason: { kind: "compared", texts: ["free", "5"], isList: true },
      },
      { isReached: true, truth: true, reason: { kind: "share", text: "user-1" } },
      { isReached: false, truth: "unknown", reason: { kind: "unknownOperator" } },
      { isReached: false, truth: true, reason: { kind: "always" } },
    ])
  })

  test("says why nothing could be compared, in groups, too", async () => {
    const value = JSON.stringify([
      { attribute: "a", operator: "notEquals", value: "x" },
      { attribute: "b", operator: "notEquals", value: "x" },
      { attribute: "c", operator: "notEquals", value: "x" },
    ])
    const { explain } = await createEvaluator({
      flags: [flag("flag", true, rule("", "any", value, "on"), rule("c", "matches", "(", "on"))],
    })
    const [group, unreadable] = explain("flag", { a: null, b: {}, c: "x" }).rules
    expect(group?.condition).toMatchObject({
      truth: false,
      reason: {
        kind: "group",
        parts: [
          { attribute: "a", truth: false, reason: { kind: "missing" } },
          { attribute: "b", truth: false, reason: { kind: "object" } },
          { attribute: "c", truth: false, reason: { kind: "compared", texts: ["x"], isList: false } },
        ],
      },
    })
    expect(unreadable?.condition).toMatchObject({ truth: false, reason: { kind: "unreadable" } })
  })

  test("of a flag without rules, and of a missing flag", () => {
    expect(evaluator.explain("disabled", {})).toEqual({
      evaluation: evaluator.evaluate("disabled", {}),
      rules: [],
    })
    expect(evaluator.explain("none", {})).toEqual({
      evaluation: { kind: "unknownFlag", key: "none" },
      rules: [],
    })
  })
})

describe("a document that is none", () => {
  const good = flag("b", true, rule("plan", "equals", "pro", "blue"))
  const { environment } = good
  const [first] = environment?.rules ?? []
  const withEnvironment = (change: object) => ({ ...good, environment: { ...environment, ...change } })
  const withRule = (change: object) => withEnvironment({ rules: [first, { ...first, ...change }] })
  const missing = (path: string) => `flags[0] is not a flag entry: ${path} is missing or of a different type`
  test.each<[string, unknown, string]>([
    ["value", { flags: [withRule({ value: ["pro"] })] }, missing("environment.rules[1].value")],
    [
      "an answer of OFREP",
      { flags: [{ key: "a", value: true, reason: "STATIC" }] },
      "flags[0] is not a flag entry",
    ],
    ["an entry alone", good, "it is not an object with a list `flags` as its only member"],
    [
      "values without rules",
      { flags: { a: true } },
      "it is not an object with a list `flags` as its only member",
    ],
    ["no list", { flags: 3 }, "it is not an object with a list `flags` as its only member"],
    ["nothing", undefined, "it is not an object with a list `flags` as its only member"],
  ])("%s", async (_, document, reason) => {
    await expect(createEvaluator(document as never)).rejects.toThrow(`not a document of flags: ${reason}`)
  })
})
