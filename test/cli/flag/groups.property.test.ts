// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { stringify } from "yaml"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { runs } from "../../runs.ts"
import { checkFiles } from "../check-files.ts"

// A rule as its author writes and reads it, through YAML, the wire and the evaluator, against the plain reading below.

type Written =
  | { readonly all: readonly Written[] }
  | { readonly any: readonly Written[] }
  | { readonly none: readonly Written[] }
  | { readonly attribute?: string; readonly operator: string; readonly value?: string | readonly string[] }

type Context = Readonly<Record<string, string>>

/** The plain reading of a condition; `undefined` if only the project's SDKs know. */
function holds(condition: Written, context: Context): boolean | undefined {
  if ("all" in condition) {
    const parts = condition.all.map((part) => holds(part, context))
    return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true
  }
  if ("any" in condition) {
    const parts = condition.any.map((part) => holds(part, context))
    return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false
  }
  if ("none" in condition) {
    const some = holds({ any: condition.none }, context)
    return some === undefined ? undefined : !some
  }
  const { attribute = "", operator, value } = condition
  const own = context[attribute]
  if (operator === "always") return true
  if (operator === "isMine") return undefined
  if (operator === "notExists") return own === undefined
  if (own === undefined) return false
  if (operator === "exists") return true
  if (operator === "equals") return own === value
  if (operator === "notEquals") return own !== value
  if (operator === "in") return value?.includes(own)
  return /^\d+$/.test(own) && Number(own) > Number(value)
}

const texts = ["a", '"', "\\", "10", "9", "line\nline", "é", ": #", ""]
const attribute = fc.constantFrom("x", "y", "z")
const comparison: fc.Arbitrary<Written> = fc.oneof(
  fc.record({
    attribute,
    operator: fc.constantFrom("equals", "notEquals"),
    value: fc.constantFrom(...texts),
  }),
  fc.record({
    attribute,
    operator: fc.constant("in"),
    value: fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1 }),
  }),
  fc.record({ attribute, operator: fc.constantFrom("exists", "notExists") }),
  fc.record({ attribute, operator: fc.constant("greaterThan"), value: fc.constantFrom("9", "-1.5") }),
  fc.record({ operator: fc.constant("always") }),
  { weight: 1, arbitrary: fc.record({ attribute, operator: fc.constant("isMine") }) },
)
const { condition } = fc.letrec<{ condition: Written }>((tie) => {
  const parts = fc.array(tie("condition"), { minLength: 1, maxLength: 4 })
  return {
    condition: fc.oneof(
      { maxDepth: 7, depthSize: "medium", withCrossShrink: true },
      comparison,
      fc.record({ all: parts }),
      fc.record({ any: parts }),
      fc.record({ none: parts }),
    ),
  }
})
const context = fc.dictionary(attribute, fc.constantFrom(...texts))

const project = parseProject(
  { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\noperators: [isMine]\n" },
  "/p",
  createReport(),
)

async function evaluate(
  rules: readonly object[],
  collectionStyle: "block" | "flow",
  contexts: readonly Context[],
) {
  if (project === undefined) throw new Error("the project has mistakes")
  const file = { type: "number", defaultValue: -1, environments: { live: { enabled: true, rules } } }
  const text = stringify(file, { collectionStyle, aliasDuplicateObjects: false })
  const report = createReport()
  const {
    flags: [found],
  } = checkFiles([{ path: "/p/a.yaml", text }], project, report)
  // Random conditions often exclude each other.
  const diagnostics = report.diagnostics.filter(({ code }) => code !== "unreachable-rule")
  expect(diagnostics.map(({ message }) => message)).toEqual([])
  if (found === undefined) throw new Error("no flag")
  // As an SDK gets it: through JSON.
  const wire = JSON.stringify({ flags: [timelessEntry(found, "live")] })
  const evaluator = await createEvaluator(JSON.parse(wire))
  return contexts.map((one) => {
    const evaluation = evaluator.evaluate("a", one)
    return evaluation.kind === "evaluated" ? evaluation.value : evaluation.kind
  })
}

test("a rule evaluates as its conditions read", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(condition, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
      fc.array(context, { minLength: 1, maxLength: 10 }),
      fc.constantFrom("block", "flow"),
      async (conditions, contexts, style) => {
        const always = conditions.findIndex((one) => "operator" in one && one.operator === "always")
        const reached = always === -1 ? conditions : conditions.slice(0, always + 1)
        const expected = contexts.map((one) => {
          const truths = reached.map((condition) => holds(condition, one))
          const first = truths.findIndex((truth) => truth !== false)
          return truths[first] === undefined && first !== -1 ? "unknownOperator" : first
        })
        const rules = reached.map((condition, at) => ({ ...condition, returnValue: at }))
        expect(await evaluate(rules, style, contexts)).toEqual(expected)
      },
    ),
    { numRuns: runs(40) },
  )
})
