// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { isIdle, violationsOf } from "../../../cli/invariants/violations.ts"
import { openSources } from "../../../cli/project/open-project.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { runs } from "../../runs.ts"
import { matcherOf } from "../conditions/world.ts"
import { comparison, composite, onWire, segment, share, type Written } from "./arbitraries.ts"

// Small worlds: two flags and a segment in two environments, and all contexts that distinguish them. The SDK judges.

const compileExpression = await loadExpressions()
const environments = ["staging", "production"]
const declared = "attributes: { x: { type: text }, y: { type: text }, user: { type: text } }\n"
const projectOf = (attributes: string) =>
  parseProject(
    { path: "/flags/project.yaml", text: `project: p\nenvironments: [staging, production]\n${attributes}` },
    "/flags",
    createReport(),
  ) as NonNullable<ReturnType<typeof parseProject>>
const projects = [projectOf(""), projectOf(declared)]

const values = { one: [true, false], two: ["red", "green", "blue"] } as const

function flagOf(key: keyof typeof values): fc.Arbitrary<Written> {
  const value = fc.constantFrom<unknown>(...values[key])
  const rule = fc
    .tuple(composite(fc.oneof(comparison, share, segment)), value)
    .map(([condition, returnValue]) => ({ ...condition, returnValue }))
  const configuration = fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    rules: fc.array(rule, { maxLength: 4 }),
  })
  return fc
    .tuple(value, configuration, fc.option(configuration, { nil: undefined }))
    .map(([defaultValue, production, staging]) => ({
      type: key === "one" ? "boolean" : "string",
      defaultValue,
      environments: { production, ...(staging && { staging }) },
    }))
}

const flagUse = fc
  .record({
    key: fc.constantFrom<keyof typeof values>("one", "two"),
    at: fc.nat(),
    within: fc.constantFrom(undefined, undefined, "staging", "production"),
  })
  .map(({ key, at, within }) => ({
    flag: key,
    is: values[key][at % values[key].length],
    ...(within && { in: within }),
  }))
const condition = composite(
  fc.oneof({ weight: 3, arbitrary: flagUse }, { weight: 1, arbitrary: fc.oneof(comparison, share, segment) }),
)
const invariant: fc.Arbitrary<Written> = fc.oneof(
  condition.map((never) => ({ never })),
  fc.tuple(condition, condition).map(([when, then]) => ({ if: when, then })),
  fc.array(condition, { minLength: 2, maxLength: 3 }).map((atMostOne) => ({ atMostOne })),
)
const world = fc.record({
  project: fc.constantFrom(...projects),
  some: composite(fc.oneof(comparison, share)),
  one: flagOf("one"),
  two: flagOf("two"),
  invariant,
})

const scalars = [undefined, "a", "b", "c"]
const users = [undefined, ...Array.from({ length: 12 }, (_, at) => `u${at}`)]
const contextsOf = (others: readonly unknown[]): readonly Context[] =>
  others.flatMap((x) =>
    others.flatMap((y) =>
      users.map((user) => JSON.parse(JSON.stringify({ x, y, user })) as Record<string, unknown>),
    ),
  )
const plain = contextsOf(scalars)
const withLists = contextsOf([...scalars, ["a"], ["a", "b"], ["c"], [], {}])

type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** The project of a world, opened. */
async function open({ project, some, one, two, invariant }: World) {
  const files = { "some.segment": some, one, two, invariants: [{ name: "it", ...invariant }] }
  const sources = Object.entries(files).map(([name, content]) => {
    return { path: `/flags/${name}.yaml`, text: JSON.stringify(content) }
  })
  const report = createReport()
  const opened = await openSources(project, sources, report)
  // Rules that no one reaches, and values that a flag does not happen to give, still have a meaning.
  const mistakes = report.diagnostics.filter(
    ({ code, severity }) => severity === "error" && !/rule|unknown-value/.test(code),
  )
  expect(mistakes.map(({ message }) => message)).toEqual([])
  return opened
}

/** Whether a context breaks the invariant in an environment, by the SDK's evaluation. */
async function judgeOf({ some, invariant }: World, flags: Awaited<ReturnType<typeof open>>["flags"]) {
  const evaluators = new Map(
    await Promise.all(
      environments.map(async (name) => {
        const document = { flags: flags.map((flag) => timelessEntry(flag, name)) }
        return [name, await createEvaluator(document as Parameters<typeof createEvaluator>[0])] as const
      }),
    ),
  )
  const matchers = new Map<Written, ReturnType<typeof matcherOf>>()
  const holds = (written: Written, context: Context, environment: string): boolean => {
    const inner = (name: string) =>
      (written[name] as readonly Written[]).map((part) => holds(part, context, environment))
    if ("all" in written) return inner("all").every(Boolean)
    if ("any" in written) return inner("any").some(Boolean)
    if ("none" in written) return !inner("none").some(Boolean)
    if ("segment" in written) return holds(some, context, environment)
    if ("flag" in written) {
      const evaluated = evaluators
        .get(String(written.in ?? environment))
        ?.evaluate(String(written.flag), context)
      return evaluated !== undefined && "value" in evaluated && evaluated.value === written.is
    }
    const matches = matchers.get(written) ?? matcherOf(onWire(written))
    matchers.set(written, matches)
    return matches(context) === true
  }
  return (context: Context, environment: string) => {
    const is = (part: unknown) => holds(part as Written, context, environment)
    if ("never" in invariant) return is(invariant.never)
    if ("if" in invariant) return is(invariant.if) && !is(invariant.then)
    return (invariant.atMostOne as readonly unknown[]).filter(is).length > 1
  }
}

/** Checks what is said about an invariant against every context of the world, and returns how it was decided. */
async function check(world: World): Promise<string> {
  const { flags, invariants, project } = await open(world)
  const { attributes } = project
  const violations = violationsOf({ flags, invariants, attributes, compileExpression })
  const breaks = await judgeOf(world, flags)
  const said = environments.map((environment) => {
    const found = violations.find((one) => one.environment === environment)
    expect(found?.doubt).toBeUndefined()
    if (found?.witness !== undefined) {
      expect(breaks(found.witness, environment)).toBe(true)
      if (!found.isOnlyLists) return "broken"
    }
    expect(plain.find((context) => breaks(context, environment))).toBeUndefined()
    if (found !== undefined) return "broken by lists"
    expect(attributes === undefined ? withLists.find((one) => breaks(one, environment)) : undefined).toBe(
      undefined,
    )
    return "holds"
  })
  const [only] = invariants
  const idle = only !== undefined && isIdle(only, { attributes, compileExpression })
  if (idle) expect(said.filter((one) => one === "broken")).toEqual([])
  return idle ? "idle" : said.join()
}

describe("invariants", () => {
  test("hold, or have a counterexample, as the SDK evaluates every context", async () => {
    const kinds = new Set<string>()
    await fc.assert(
      fc.asyncProperty(world, async (one) => {
        kinds.add(await check(one))
      }),
      { numRuns: runs(250) },
    )
    expect([...kinds]).toEqual(expect.arrayContaining(["holds,holds", "broken,broken"]))
  })
})
