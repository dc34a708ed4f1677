// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { advise } from "../../../cli/checks/advice.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { positionOf } from "../../../cli/diagnostics/position.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { runs } from "../../runs.ts"
import { checkFiles } from "../check-files.ts"
import {
  composite,
  expression,
  families,
  firstMatch,
  matcherOf,
  own,
  presence,
  tell,
  toldContexts,
  values,
  worldOf,
} from "../conditions/world.ts"

// Lint's warnings about rules together, against brute force over a small world. The tests of the engine check that
// no warning is missing.

interface Rule {
  readonly condition: Condition
  readonly returnValue: boolean
}

const project = parseProject(
  { path: "/flags/project.yaml", text: "project: p\nenvironments: [production]\noperators: [ours]\n" },
  "/flags",
  createReport(),
)

/** A flag file with a rule on each line from the sixth. */
function yamlOf(rules: readonly Rule[], defaultValue: boolean): string {
  const head = ["defaultValue: ", "environments:", "  production:", "    enabled: true", "    rules:"]
  const lines = rules.map(
    ({ condition, returnValue }) => `      - ${JSON.stringify({ ...written(condition), returnValue })}`,
  )
  return `${[`${head[0]}${defaultValue}`, ...head.slice(1), ...lines].join("\n")}\n`
}

function written({ attribute, operator, value }: Condition): object {
  if (operator === "all" || operator === "any" || operator === "none")
    return { [operator]: JSON.parse(value).map(written) }
  return {
    ...(attribute !== "" && { attribute }),
    operator,
    ...(operator !== "exists" &&
      operator !== "notExists" &&
      operator !== "always" && {
        value: operator === "in" || operator === "notIn" ? JSON.parse(value) : value,
      }),
  }
}

const aboutRules: readonly string[] = ["unreachable-rule", "rule-without-effect", "duplicate-rule"]

/** Lint's warning about each rule, by position. */
function lint(rules: readonly Rule[], defaultValue: boolean) {
  if (project === undefined) throw new Error("the project file has mistakes")
  const report = createReport()
  const source = { path: "/flags/flag.yaml", text: yamlOf(rules, defaultValue) }
  advise(checkFiles([source], project, report), project, 0, report)
  const found = new Map<number, string>()
  for (const { code, severity, location } of report.diagnostics) {
    const at = positionOf(source, location.span.start).line - 6
    if (aboutRules.includes(code)) found.set(at, `${code} ${severity}`)
  }
  return found
}

const world = worldOf(values)
const plainWorld = world.filter((context) =>
  Object.values(context).every((value) => typeof value !== "object"),
)

const always: Condition = { attribute: "", operator: "always", value: "" }
const rulesOf = (condition: fc.Arbitrary<Condition>) =>
  fc.array(
    fc.record({
      condition: fc.oneof(
        { weight: 12, arbitrary: condition },
        { weight: 1, arbitrary: fc.constant(always) },
      ),
      returnValue: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )

test.each(Object.entries(families))("%s: never wrong", (_, family) => {
  fc.assert(
    fc.property(
      rulesOf(composite(fc.oneof({ weight: 5, arbitrary: family }, presence))),
      fc.boolean(),
      (rules, byDefault) => {
        const found = lint(rules, byDefault)
        const matchers = rules.map(({ condition }) => matcherOf(condition))
        const firsts = world.map((context) => firstMatch(matchers, context))
        const reached = new Set(firsts)
        const reachedPlainly = new Set(plainWorld.map((context) => firstMatch(matchers, context)))
        for (const [at, { returnValue }] of rules.entries()) {
          const code = found.get(at)
          if (code === "unreachable-rule error") expect(reached).not.toContain(at)
          if (code === "unreachable-rule warning") expect(reachedPlainly).not.toContain(at)
          if (code !== "rule-without-effect warning") continue
          const rest = matchers.toSpliced(at, 1)
          const others = rules.toSpliced(at, 1)
          for (const [index, context] of world.entries())
            if (firsts[index] === at)
              expect(others[firstMatch(rest, context)]?.returnValue ?? byDefault).toBe(returnValue)
        }
      },
    ),
    { numRuns: runs(10) },
  )
})

test("the project's own operators and expressions: never wrong", () => {
  const any = fc.oneof(expression, own, ...Object.values(families))
  fc.assert(
    fc.property(rulesOf(any), fc.boolean(), (rules, byDefault) => {
      const found = lint(rules, byDefault)
      const matchers = rules.map(({ condition }) => matcherOf(tell(condition)))
      const reached = new Set(world.flatMap(toldContexts).map((context) => firstMatch(matchers, context)))
      for (const at of rules.keys())
        if (found.get(at) === "unreachable-rule error") expect(reached).not.toContain(at)
    }),
    { numRuns: runs(10) },
  )
})
