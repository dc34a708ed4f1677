// @module-tag property
import { Ajv } from "ajv"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { editorSchema } from "../../../cli/editor/editor-schema.ts"
import { operators } from "../../../cli/language/operators.ts"
import type { Project } from "../../../cli/reading/project.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { runs } from "../../runs.ts"
import { fitting } from "../../sdk/evaluation/arbitrary.ts"
import { checkFiles } from "../check-files.ts"

const source = { path: "/flags/project.yaml", text: "" }
const project: Project = {
  id: "shop",
  name: "shop",
  folder: "/flags",
  source,
  environments: [{ name: "production", id: "production" }],
  operators: [],
  protected: [],
  manyChange: 50,
  fastLane: [],
  stale: { after: 0, byTag: new Map() },
  attributes: undefined,
  knownAttributes: undefined,
  clock: undefined,
  tags: undefined,
  required: [],
  ignore: [],
  ignores: () => false,
}

/** A flag with the same comparison twice: in a rule, and in a group. */
function definitionOf(operator: string, value: string) {
  const comparison = { attribute: "a", operator, value }
  const rules = [
    { ...comparison, returnValue: true },
    { none: [comparison], returnValue: true },
  ]
  return { defaultValue: false, environments: { production: { enabled: true, rules } } }
}

/** Whether the compiler accepts an operand in both places. */
function accepts(operator: string, value: string): boolean {
  const report = createReport()
  const text = JSON.stringify(definitionOf(operator, value))
  checkFiles([{ path: "/flags/a.yaml", text }], project, report)
  // Whether the rules leave anyone for each other does not matter here.
  const refusals = report.diagnostics.filter(({ code }) => code !== "unreachable-rule")
  expect([0, 2]).toContain(refusals.length)
  return refusals.length === 0
}

/** Whether a rule's operand can be read where it is evaluated. */
async function isReadable(operator: string, value: string): Promise<boolean> {
  const time = "2026-01-01T00:00:00.000Z"
  const rule = { id: "r", attribute: "a", operator, value, returnValue: true }
  const evaluator = await createEvaluator({
    flags: [
      {
        flag: {
          id: "f",
          projectId: "p",
          key: "f",
          name: "f",
          description: "",
          type: "boolean",
          defaultValue: false,
          createdAt: time,
          updatedAt: time,
        },
        environment: {
          id: "c",
          flagId: "f",
          environmentId: "e",
          enabled: true,
          rules: [rule],
          updatedAt: time,
        },
      },
    ],
  })
  const { rules } = evaluator.explain("f", { a: "x" })
  return rules[0]?.condition.reason.kind !== "unreadable"
}

const comparing = [...operators].filter(([, { operand }]) => operand !== "nothing").map(([name]) => name)

/** Valid operands, and the same with a character added, removed or changed. */
const operand = (operator: string) =>
  fc
    .tuple(
      fitting(operator).filter((text) => text.isWellFormed()),
      fc.nat(),
      fc.constantFrom(0, 0, 1, 2),
      fc.oneof(
        fc.constantFrom(..." .*-+vVxeE0159:TtZz%[](){}\"',/\\^$|?=!<>#adiknpPQ\n".split("")),
        fc.constant(""),
      ),
    )
    .map(([text, place, removed, added]) => {
      const at = place % (text.length + 1)
      return text.slice(0, at) + added + text.slice(at + removed)
    })
    .filter((text) => text.isWellFormed())

const rule = fc
  .constantFrom(...comparing)
  .chain((operator) => operand(operator).map((value) => [operator, value] as const))

describe("an operand is accepted exactly where an evaluator can read it", () => {
  test("whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(rule, async ([operator, value]) => {
        expect(accepts(operator, value)).toBe(await isReadable(operator, value))
      }),
      { numRuns: runs(200) },
    )
  })

  const cases = {
    semverLessThan:
      "1|v1|V1|v1.2|1.2.3.4.5|130.*|v130.*|1.*-rc|1.*.1|*|1.x|1.|1-rc.1+b|1--|99999999999999999999.0|01.2| 1|1-é",
    greaterThan: "1|-1|+1|1.5|.5|1.|1e3|1E+3|1e-3|1e|0x10|1_000|1,5|Infinity|NaN|-0|007| 1|١|1.2.3",
    before:
      "2026-01-01|2026-02-29|2024-02-29|2026-01-01T00:00:00Z|2026-01-01t00:00:00.123456789012z|2026-01-01T00:00:60Z|2026-01-01T24:00:00Z|2026-01-01T00:00:00+24:00|2026-01-01T00:00:00+23:59|2026-01-01T00:00:00|2026-01-01 00:00:00Z|0000-01-01|9999-12-31T23:59:59.999-23:59|20260101|2026-1-1|1767225600000",
    percentage: "0|100|-0|-1|100.0|100.1|33.3|1e1|10%|.5|5.|050|101",
    in: '[]|["a"]|["a",1]|[null]|a| ["a"] |["a",]|{}|"a"|[["a"]]',
    matches:
      "a|(?i)a|(?<n>a)|(?P<n>a)|\\d+|\\p{Greek}|\\u00e9|(?=a)|(?!a)|(?<=a)|(?<!a)|(a)\\1|(?>a)|a++|a*?|[[:alpha:]]|\\Qa.b\\E|a{1000}|a{1001}|[^]|\\/|(?x)a|(|)|[a|\\",
    equals: "| |é|[]",
  }
  test.each(
    Object.entries(cases).flatMap(([operator, values]) =>
      values.split("|").map((value) => [operator, value] as const),
    ),
  )("%s %j", async (operator, value) => {
    expect(accepts(operator, value)).toBe(await isReadable(operator, value))
  })
})

test("the editor's schema accepts every operand that lint accepts, and no other number, version or percentage", () => {
  const validate = new Ajv({ strict: false }).compile(editorSchema(project))
  fc.assert(
    fc.property(rule, ([operator, value]) => {
      const accepted = accepts(operator, value)
      const isExact = ["number", "version", "percentage"].includes(operators.get(operator)?.operand ?? "")
      const fits = validate(definitionOf(operator, value))
      expect(fits).toBe(isExact || accepted ? accepted : fits)
    }),
    { numRuns: runs(125) },
  )
})
