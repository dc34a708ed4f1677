import { expect, test } from "vitest"
import type { Configuration, FlagEntry, Json, Rule } from "../../../sdk/contract/snapshot.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { numberKind } from "../../../sdk/evaluation/number-kind.ts"
import { isStaticFlag, resolutionOf } from "../../../sdk/evaluation/resolution.ts"
import { flagEntry } from "../../flag-entry.ts"

const rule = (operator: string, returnValue: Json = true): Rule => {
  const attribute = operator === "always" ? "" : "x"
  return {
    id: `by-${operator}`,
    attribute,
    operator,
    value: operator === "percentage" ? "100" : "a",
    returnValue,
  }
}

function entry(changes: Partial<Configuration> | null): FlagEntry {
  const { flag, environment } = flagEntry("flag", 1)
  return { flag, environment: environment && changes && { ...environment, ...changes } }
}

const other = { reason: "DEFAULT", variant: "default", value: false }
const static_ = { reason: "STATIC", variant: "default", value: false }

test.each<[string, FlagEntry, object]>([
  ["disabled, for everyone", entry({ enabled: false, rules: [rule("always")] }), other],
  ["for everyone", entry({ rules: [rule("always")] }), { ...static_, value: true, variant: "by-always" }],
  [
    "a rule matches",
    entry({ rules: [rule("equals"), rule("always", false)] }),
    { reason: "TARGETING_MATCH", variant: "by-equals", value: true },
  ],
  [
    "for everyone else",
    entry({ rules: [rule("notEquals"), rule("always")] }),
    { reason: "TARGETING_MATCH", variant: "by-always", value: true },
  ],
])("%s", async (name, of, expected) => {
  const { evaluate } = await createEvaluator({ flags: [of] })
  const context = { x: name === "no rule matches" ? "b" : "a" }
  expect(resolutionOf(evaluate("flag", context), isStaticFlag(of))).toEqual({
    kind: "resolved",
    key: "flag",
    ...expected,
  })
})

test("an unknown result is an error with the operator's name, never a guess", async () => {
  const of = entry({ rules: [rule("ourOwn")] })
  const { evaluate } = await createEvaluator({ flags: [of] })
  expect(resolutionOf(evaluate("flag", { x: "a" }), isStaticFlag(of))).toEqual({
    kind: "failed",
    key: "flag",
    errorCode: "GENERAL",
    errorDetails: "Rule by-ourOwn decides by the operator ourOwn, which only the project's own code knows",
  })
  expect(resolutionOf(evaluate("other", {}), false)).toEqual({
    kind: "failed",
    key: "other",
    errorCode: "FLAG_NOT_FOUND",
    errorDetails: "Flag not found",
  })
})

test.each<[Json, readonly Json[], string]>([
  [1, [], "integer"],
  [1, [2, -3], "integer"],
  [1, [2, 0.5], "float"],
  [1.5, [2], "float"],
  [1e300, [], "integer"],
])("a number flag of %j and %j is %s", (defaultValue, returned, kind) => {
  const { flag, environment } = entry({ rules: returned.map((value) => rule("always", value)) })
  expect(numberKind({ flag: { ...flag, type: "number", defaultValue }, environment })).toBe(kind)
  expect(numberKind({ flag: { ...flag, type: "json", defaultValue }, environment })).toBeUndefined()
  expect(numberKind({ flag: { ...flag, type: "number", defaultValue }, environment: null })).toBe(
    Number.isInteger(defaultValue) ? "integer" : "float",
  )
})
