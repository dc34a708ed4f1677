// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { diffSides } from "../../../cli/diff/diff.ts"
import { outsideOf } from "../../../cli/diff/lane/outside.ts"
import { outcomesOf } from "../../../cli/flag/outcomes.ts"
import { violationsOf } from "../../../cli/invariants/violations.ts"
import { canonicalJson } from "../../../cli/language/canonical-json.ts"
import type { Flag } from "../../../cli/language/flag.ts"
import { readInvariants } from "../../../cli/reading/read-invariants.ts"
import { startCoverage } from "../../../cli/specs/coverage.ts"
import { givenByFlag } from "../../../cli/stale/given.ts"
import { keepOf } from "../../../cli/stale/keep.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { runs } from "../../runs.ts"
import { sideOf } from "../diff/sides.ts"

// What a flag gives is computed once: each command that asks whether everyone gets a value agrees with `diff` from and to
// "everyone gets it", whatever the project declares of its attributes.

const compileExpression = await loadExpressions()
const declared = fc.constantFrom(
  "",
  "attributes: { plan: { type: text }, groups: { type: list }, id: { type: text } }\n",
)

const names = fc.subarray(["a", "b", "c"], { minLength: 1 })
const attribute = fc.constantFrom("plan", "groups")
const comparison = fc.oneof(
  fc.record({ attribute, operator: fc.constantFrom("in", "notIn"), value: names }),
  fc.record({ attribute, operator: fc.constantFrom("exists", "notExists") }),
  fc.record({
    attribute,
    operator: fc.constantFrom("equals", "notEquals"),
    value: fc.constantFrom("a", "b"),
  }),
)
const share = fc.constantFrom(0, 50, 100).map((to) => ({ share: { by: "id", to } }))
const group = fc
  .tuple(fc.constantFrom("all", "any", "none"), fc.array(comparison, { minLength: 1, maxLength: 3 }))
  .map(([kind, parts]) => ({ [kind]: parts }))
const value = fc.constantFrom("x", "y", "z")
const rule = fc
  .tuple(fc.oneof(comparison, comparison, group, share), value)
  .map(([condition, returnValue]) => ({ ...condition, returnValue }))
/** Rules that together match everyone, unless an attribute is an object. */
const cover = fc.tuple(attribute, names, value).map(([attribute, list, returnValue]) => [
  { attribute, operator: "in", value: list, returnValue },
  { attribute, operator: "notIn", value: list, returnValue },
  { attribute, operator: "notExists", returnValue },
])
const rules = fc.uniqueArray(rule, { maxLength: 5, selector: (one) => JSON.stringify(one) })
const file = fc.record({
  type: fc.constant("string"),
  defaultValue: fc.constantFrom("x", "y"),
  environments: fc.record({
    production: fc.record({
      enabled: fc.constantFrom(true, true, true, false),
      rules: fc.oneof({ weight: 3, arbitrary: rules }, { weight: 1, arbitrary: cover }),
    }),
  }),
})

/** Whether the flag gives everyone a value, as each command sees it; `undefined` for a value that it does not know. */
function answers(
  flag: Flag,
  of: string,
  everyone: Flag,
  project: NonNullable<ReturnType<typeof sideOf>["project"]>,
) {
  const side = { project, flags: [flag] }
  const isSame = (before: typeof side, after: typeof side) =>
    diffSides(before, after, { compileExpression, now: 0 }).changes.every(
      ({ effects }) => effects.length === 0,
    )
  const target = { project, flags: [everyone] }
  const [given] = givenByFlag(flag, project, compileExpression)
  const keep = keepOf(given === undefined ? [] : [given], canonicalJson(flag.defaultValue))
  const reached = startCoverage(compileExpression)
    .outcomesIn("production", flag)
    .map((outcome) => outcome.value)
  const text = `- { name: i, never: { none: [{ flag: f, is: ${of} }] } }`
  const tree = parseSource({ path: "/flags/invariants.yaml", text }, createReport())
  const invariants = tree && readInvariants(tree, project, flag.references, createReport())
  const language = { compileExpression, attributes: project.attributes }
  const pair = { kind: "kept", before: everyone, after: flag } as const
  const base = { project, flags: [] }
  return {
    from: isSame(side, target),
    to: isSame(target, side),
    stale: given?.only === canonicalJson(of), // the cells of the catalogue have the same `given`
    remove:
      keep.kind === "waiting"
        ? given?.only === canonicalJson(of)
        : keep.kind === "value" && keep.value === canonicalJson(of),
    coverage: reached.every((one) => one === of),
    invariants: violationsOf({ ...language, flags: [flag], invariants: invariants ?? [] }).length === 0,
    lane: outsideOf({ pair, environment: "production", base, compileExpression }, []).length === 0,
  }
}

test("every command agrees with diff on whether everyone gets a value", () => {
  const seen = new Map<boolean, number>()
  fc.assert(
    fc.property(declared, file, value, (attributes, content, of) => {
      const text = `project: p\nenvironments: [production]\n${attributes}`
      const always = { enabled: true, rules: [{ operator: "always", returnValue: of }] }
      const sides = [content, { ...content, environments: { production: always } }].map((one) => {
        try {
          return sideOf({ f: one }, text)
        } catch (error) {
          if (/duplicate-rule/.test(`${error}`)) fc.pre(false)
          throw error
        }
      })
      const [side, target] = sides
      const [flag, everyone] = [side?.flags[0], target?.flags[0]]
      if (side?.project === undefined || flag === undefined || everyone === undefined)
        throw new Error("no flag")
      const found = answers(flag, of, everyone, side.project)
      expect(new Set(Object.values(found)), JSON.stringify(found)).toHaveLength(1)
      seen.set(found.from, (seen.get(found.from) ?? 0) + 1)
    }),
    { numRuns: runs(500) },
  )
  expect(Math.min(seen.get(true) ?? 0, seen.get(false) ?? 0)).toBeGreaterThan(runs(500) / 50)
})

test("a disabled flag gives its default, and a rule for everyone ends the list", () => {
  const of = (enabled: boolean) => {
    const rules = [{ operator: "always", returnValue: "y" }]
    const [flag] = sideOf(
      { f: { type: "string", defaultValue: "x", environments: { production: { enabled, rules } } } },
      "project: p\nenvironments: [production, staging]\n",
    ).flags
    return ["production", "staging"].map(
      (name) => flag && outcomesOf(flag, name, compileExpression).map(({ gives }) => gives),
    )
  }
  expect(of(true)).toEqual([["y"], ["x"]])
  expect(of(false)).toEqual([["x"], ["x"]])
})
