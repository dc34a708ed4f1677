// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { canonicalJson } from "../../../cli/language/canonical-json.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { assess } from "../../../cli/stale/assess.ts"
import { givenByFlag, givenIn } from "../../../cli/stale/given.ts"
import { type Keep, keepOf } from "../../../cli/stale/keep.ts"
import type { Json, Rule } from "../../../sdk/contract/snapshot.ts"
import type { Context, Evaluation } from "../../../sdk/evaluation/evaluation.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { runs } from "../../runs.ts"
import { checkFiles } from "../check-files.ts"
import { flagWith } from "../rule.ts"

// The value to keep, against what the SDK gives to every context in every environment.

const compileExpression = await loadExpressions()
const names = ["development", "staging", "eu", "us"]
const projects = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.subarray(names)).map(([count, guarded]) => {
  const environments = names.slice(0, count)
  const settings = {
    project: "p",
    environments,
    protected: guarded.filter((name) => environments.includes(name)),
  }
  const file = { path: "/p/project.yaml", text: JSON.stringify(settings) }
  const project = parseProject(file, "/p", createReport())
  if (project === undefined) throw new Error("the project file is wrong")
  return project
})

const comparison = fc.record({
  attribute: fc.constant("x"),
  operator: fc.constantFrom("equals", "notEquals"),
  value: fc.constantFrom("a", "b"),
})
const share = fc.record({
  share: fc.constantFrom({ by: "id", to: 50 }, { by: "id", from: 50, to: 100 }, { by: "id", to: 100 }),
})
const always = fc.constant({ operator: "always" })
const leaf = fc.oneof(comparison, share, fc.constantFrom({ attribute: "id", operator: "notExists" }))
const condition = fc.oneof(
  { weight: 2, arbitrary: always },
  { weight: 4, arbitrary: leaf },
  ...["all", "any", "none"].map((kind) =>
    fc.array(leaf, { minLength: 1, maxLength: 2 }).map((parts) => ({ [kind]: parts })),
  ),
)

/** By type: the default and other values; the first two of `json` are equal. */
const types: Readonly<Record<string, readonly Json[]>> = {
  boolean: [false, true],
  string: ["", "b", "c"],
  number: [1, 2, 10],
  json: [{ a: 1, b: [null] }, { b: [null], a: 1 }, { a: 2 }, null],
}
const files = fc.constantFrom(...Object.entries(types)).chain(([type, values]) => {
  const rule = fc
    .tuple(condition, fc.constantFrom(...values))
    .map(([when, returnValue]) => ({ ...when, returnValue }))
  const configuration = fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    rules: fc.array(rule, { maxLength: 3 }),
  })
  const environments = fc.dictionary(fc.constantFrom(...names), configuration)
  return environments.map((byName) => ({ type, defaultValue: values[0], environments: byName }))
})

/** Users in both halves, those with an id that is in no share, those with several values of `x`. */
const ids = [undefined, {}, ...Array.from({ length: 20 }, (_, at) => `u${at}`)]
const contexts: readonly Context[] = ids.flatMap((id) =>
  [undefined, "a", "b", "c", ["a", "b"], ["a", "c"], ["b", "c"], ["a", "b", "c"], []].map((x) => ({
    ...(id === undefined ? {} : { id }),
    ...(x === undefined ? {} : { x }),
  })),
)

/** What the definition of the value to keep says about the evaluations of every context. */
function expectedOf(
  evaluations: ReadonlyMap<string, readonly Evaluation[]>,
  guarded: readonly string[],
  defaultValue: string,
): Keep<string> {
  const valuesIn = (all: readonly Evaluation[]) =>
    all.map((evaluation) => (evaluation.kind === "evaluated" ? canonicalJson(evaluation.value) : "none"))
  const decisive = guarded.length > 0 ? guarded : [...evaluations.keys()]
  const isOff = (name: string) =>
    evaluations
      .get(name)
      ?.every(
        (evaluation) => "cause" in evaluation && /^(disabled|unconfigured)$/.test(evaluation.cause ?? ""),
      )
  const isOn = [...evaluations.values()].some((all) => valuesIn(all).some((value) => value !== defaultValue))
  const waitsFor = decisive.filter(isOff)
  if (isOn && waitsFor.length > 0) return { kind: "waiting", environments: waitsFor }
  const [value = "", ...others] = new Set(decisive.flatMap((name) => valuesIn(evaluations.get(name) ?? [])))
  return others.length === 0 ? { kind: "value", value } : { kind: "several" }
}

test("if there are more rules than can be followed, users may get several values", () => {
  const rule = (attribute: string, returnValue: boolean): Rule => ({
    id: attribute,
    attribute,
    operator: "equals",
    value: "x",
    returnValue,
  })
  const rules = Array.from({ length: 6_000 }, (_, at) => rule(`a${at}`, true))
  const given = (rules: readonly Rule[]) =>
    givenIn(
      flagWith({ key: "cart", defaultValue: true }, "live", { enabled: true, rules }),
      "live",
      compileExpression,
    ).only
  expect(given(rules.slice(0, 2))).toBe("true")
  expect(given([...rules, rule("z", false)])).toBe(undefined)
})

test("the value to keep is what every context gets in every deciding environment", async () => {
  const kinds = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(projects, files, async (project, file) => {
      const inProject = project.environments.map(({ name }) => name)
      const environments = Object.fromEntries(
        Object.entries(file.environments).filter(([name]) => inProject.includes(name)),
      )
      const source = { path: "/p/cart.yaml", text: JSON.stringify({ ...file, environments }) }
      const [flag] = checkFiles([source], project, createReport()).flags
      if (flag === undefined) throw new Error("the flag is wrong")
      const evaluations = new Map<string, readonly Evaluation[]>()
      for (const name of inProject) {
        const { evaluate } = await createEvaluator({ flags: [timelessEntry(flag, name)] })
        evaluations.set(
          name,
          contexts.map((context) => evaluate("cart", context)),
        )
      }
      const defaultValue = canonicalJson(flag.defaultValue)
      const given = givenByFlag(flag, project, compileExpression)
      const keep = keepOf(given, defaultValue)
      expect(keep).toEqual(expectedOf(evaluations, project.protected, defaultValue))
      kinds.set(keep.kind, (kinds.get(keep.kind) ?? 0) + 1)

      const standing = {
        expires: "",
        createdAt: 0,
        defaultValue,
        given: given.map((gives) => ({ ...gives, changedAt: 1 })),
      }
      const { reasons, keep: kept } = assess(standing, { now: 2, after: 1 })
      const settled = reasons.filter(({ state }) => /^settled/.test(state))
      expect([kept, settled.length]).toEqual(keep.kind === "value" ? [keep.value, 1] : [undefined, 0])
      const waiting = reasons.filter(({ state }) => state === "waiting")
      expect(waiting.map((reason) => reason.environments)).toEqual(
        keep.kind === "waiting" ? [keep.environments] : [],
      )
    }),
    { numRuns: runs(500) },
  )
  for (const kind of ["value", "waiting", "several"]) expect(kinds.get(kind)).toBeGreaterThan(0)
})
