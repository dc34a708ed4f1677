import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { startCoverage } from "../../../cli/specs/coverage.ts"
import { givenByFlag } from "../../../cli/stale/given.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { checkFiles } from "../check-files.ts"
import { diffOf, sideOf } from "../diff/sides.ts"

// An attribute with a declared type other than `list` has one value, whoever asks about sets of contexts.

const compileExpression = await loadExpressions()

const when = (operator: string, value?: readonly string[], attribute = "plan") => ({
  attribute,
  operator,
  ...(value && { value }),
  returnValue: true,
})
const halves = [when("in", ["1.0", "2.0"]), when("notIn", ["1.0", "2.0"])]
const covering = [...halves, when("notExists")]

/** What each reader of sets of contexts says of a flag with these rules. */
function answers(types: object | undefined, rules: readonly object[]) {
  const file = JSON.stringify({ project: "p", environments: ["live"], ...(types && { attributes: types }) })
  const project = parseProject({ path: "/p/project.yaml", text: file }, "/p", createReport())
  if (project === undefined) throw new Error("the project file is wrong")
  const fileWith = (rules: readonly object[]) => ({
    defaultValue: false,
    environments: { live: { enabled: true, rules } },
  })
  const report = createReport()
  const source = { path: "/p/f.yaml", text: JSON.stringify(fileWith(rules)) }
  const [flag] = checkFiles([source], project, report).flags
  if (flag === undefined) throw new Error("the flag is wrong")
  const everyone = [{ operator: "always", returnValue: true }]
  const changes = diffOf(
    sideOf({ f: fileWith(everyone) }, file),
    sideOf({ f: fileWith(rules) }, file),
  ).changes
  return {
    isSame: changes.every(({ impact }) => impact !== "behaviour"),
    isSettled: givenByFlag(flag, project, compileExpression)[0]?.only === "true",
    isDefaultReached: startCoverage(compileExpression)
      .outcomesIn("live", flag)
      .some(({ by }) => by === "default"),
    codes: report.diagnostics.map(({ code, severity }) => `${severity} ${code}`),
  }
}

const settled = { isSame: true, isSettled: true, isDefaultReached: false, codes: [] }
const open = { isSame: false, isSettled: false, isDefaultReached: true, codes: [] }

test.each<readonly [string, object | undefined, readonly object[], object]>([
  ["a text", { plan: { type: "text" } }, covering, settled],
  ["a version", { plan: { type: "version" } }, covering, settled],
  ["a list", { plan: { type: "list" } }, covering, open],
  ["of any type", { plan: {} }, covering, open],
  ["not declared", undefined, covering, open],
  ["a text that may be missing", { plan: { type: "text" } }, halves, open],
])("diff, stale, coverage and lint agree on an attribute that is %s", (_, types, rules, expected) => {
  expect(answers(types, rules)).toEqual(expected)
})

test.each<readonly [string, object | undefined, readonly string[]]>([
  ["a text", { plan: { type: "text" }, tier: {} }, ["error unreachable-rule"]],
  ["of any type", { plan: {}, tier: { type: "text" } }, ["warning unreachable-rule"]],
  ["a list", { plan: { type: "list" }, tier: { type: "text" } }, []],
])("a rule that only a list of plans reaches, if plan is %s, whatever others are", (_, types, codes) => {
  const both = { ...when("in", ["a"]), returnValue: undefined }
  const contradiction = { all: [both, { ...both, value: ["b"] }], returnValue: true }
  expect(answers(types, [{ ...when("equals", undefined, "tier"), value: "x" }, contradiction]).codes).toEqual(
    codes,
  )
})
