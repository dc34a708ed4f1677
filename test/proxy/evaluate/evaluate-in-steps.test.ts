// @module-tag property
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compileEvaluations } from "../../../proxy/evaluate/compile-evaluations.ts"
import { evaluateInSteps } from "../../../proxy/evaluate/evaluate-in-steps.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { evaluateFlag } from "../../../sdk/evaluation/compile-flag.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { createFlagCompiler } from "../../../sdk/evaluation/flag-compiler.ts"
import { runs } from "../../runs.ts"
import { context, environment } from "../../sdk/evaluation/arbitrary.ts"
import { entryOf, ownVectors } from "../../sdk/evaluation/vectors.ts"
import { flagOf, rule } from "../ofrep/evaluated-flags.ts"

/** What work returns, and what `measure` returned at each pause and at the end. */
function drain<T>(steps: Iterator<void, T>, measure: () => number) {
  const measured: number[] = []
  for (;;) {
    const { done, value } = steps.next()
    measured.push(measure())
    if (done) return { value, measured }
  }
}

const compile = (entry: FlagEntry) => createFlagCompiler().compile(entry)

test("every vector gives the same in steps", async () => {
  for (const vector of ownVectors) {
    const compiled = await compile(entryOf(vector))
    const { value } = drain(evaluateInSteps(compiled, vector.context, 1), () => 0)
    expect(value, vector.case).toBe(evaluateFlag(compiled, vector.context))
  }
})

test("random flags and contexts give the same in steps", async () => {
  await fc.assert(
    fc.asyncProperty(environment, context, async (environment, context) => {
      const compiled = await compile(
        entryOf({ flag: { key: "feature", defaultValue: "default" }, environment }),
      )
      const { value } = drain(evaluateInSteps(compiled, context as Context, 3), () => 0)
      expect(value).toBe(evaluateFlag(compiled, context as Context))
    }),
    { numRuns: runs(1_000) },
  )
})

/** A context of which each reading of the attribute is counted. */
function countReads(value: unknown) {
  let reads = 0
  const context: Context = {
    get attribute() {
      reads++
      return value
    },
  }
  const takeReads = () => {
    const taken = reads
    reads = 0
    return taken
  }
  return { context, takeReads }
}

const evaluationsOf = (flags: readonly FlagEntry[]) =>
  compileEvaluations(
    { entries: () => flags.map((entry) => Buffer.from(JSON.stringify(entry))), sha256: "" },
    () => 0,
    undefined,
  )

const comparisons = Array.from({ length: 900 }, (_, at) => ({
  attribute: "attribute",
  operator: "startsWith",
  value: `q${at}`,
}))
const groupOf = (parts: readonly object[]) => rule("any", "", JSON.stringify(parts), true)

test.each([
  ["many rules", comparisons.map(({ operator, value }) => rule(operator, "attribute", value, true))],
  ["a group", [groupOf(comparisons)]],
  ["groups in groups", [groupOf([{ attribute: "", operator: "any", value: JSON.stringify(comparisons) }])]],
])("a flag with %s pauses after each comparison with a long list", async (_, rules) => {
  const evaluations = await evaluationsOf([flagOf("long", "boolean", false, rules)])
  const { context, takeReads } = countReads(Array.from({ length: 1_000 }, () => "text"))
  const contextBytes = 16_000
  const one = drain(evaluations.one("long", context, contextBytes), takeReads)
  expect(one.value?.text).toContain('"value":false')
  const all = drain(evaluations.all(context, contextBytes), takeReads)
  expect(JSON.parse(all.value).flags).toHaveLength(1)
  expect(one.measured.length).toBeGreaterThanOrEqual(900)
  expect(Math.max(...one.measured, ...all.measured)).toBe(1)
})

test("flags pause after as much work as needs no turn, however many that are", async () => {
  const flags = Array.from({ length: 1_000 }, (_, at) =>
    flagOf(`flag-${at}`, "boolean", false, [rule("equals", "attribute", `x${at}`, true)]),
  )
  const evaluations = await evaluationsOf(flags)
  const { context, takeReads } = countReads("text")
  const readsWith = (bytes: number) => drain(evaluations.all(context, bytes), takeReads).measured
  const short = readsWith(4)
  expect(Math.max(...short)).toBeLessThanOrEqual(5_000 / 64 + 1)
  expect(Math.max(...short)).toBeGreaterThan(20)
  expect(Math.max(...readsWith(1_000))).toBeLessThanOrEqual(5)
  expect(Math.max(...readsWith(16_000))).toBe(1)
})
