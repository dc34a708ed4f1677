// @module-tag property
import { inspect } from "node:util"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { runs } from "../../runs.ts"
import { context, environment } from "./arbitrary.ts"
import { plainEvaluate } from "./plain-evaluator.ts"
import { entryOf, ownVectors } from "./vectors.ts"

test("the plain evaluator answers the vectors, too", () => {
  for (const vector of ownVectors) {
    const answer = plainEvaluate(entryOf(vector), vector.context)
    expect(answer === "unknown" ? { cannotBeKnown: true } : answer.value, vector.case).toEqual(
      vector.cannotBeKnown ? { cannotBeKnown: true } : vector.expected,
    )
  }
})

test("two evaluators without a common line agree on random flags and contexts", async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("feature", "team/größe", "k".repeat(70)),
      environment,
      fc.array(context, { minLength: 1, maxLength: 3 }),
      async (key, environment, contexts) => {
        const entry = entryOf({ flag: { key, defaultValue: "default" }, environment })
        const { evaluate, evaluateAll, explain } = await createEvaluator({ flags: [entry] })
        for (const context of contexts as readonly Context[]) {
          const evaluation = evaluate(key, context)
          const expected = plainEvaluate(entry, context)
          const actual =
            evaluation.kind === "evaluated"
              ? {
                  value: evaluation.value,
                  cause: evaluation.cause,
                  ...(evaluation.ruleId === undefined ? {} : { ruleId: evaluation.ruleId }),
                }
              : "unknown"
          expect(actual).toEqual(expected)
          expect(evaluateAll(context)).toEqual([evaluation])
          expect(explain(key, context).evaluation).toEqual(evaluation)
          const kind = expected === "unknown" ? expected : expected.cause
          seen.set(kind, (seen.get(kind) ?? 0) + 1)
        }
      },
    ),
    { numRuns: runs(2_000), reporter: reportHostile },
  )
  // A generator that never matches anything would prove nothing. A few hundred runs are too few to see that.
  const least = runs(5) < 5 ? 0 : runs(5)
  for (const kind of ["unknown", "rule", "share", "always", "default", "disabled", "unconfigured"])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(least)
})

/** fast-check's own report reads the values, and these may throw when they are read. */
function reportHostile<T>({
  failed,
  counterexample,
  counterexamplePath,
  seed,
  errorInstance,
}: fc.RunDetails<T>) {
  if (!failed) return
  const values = inspect(counterexample, { depth: 9, showProxy: true })
  throw new Error(`seed ${seed}, path ${counterexamplePath}: ${values}`, { cause: errorInstance })
}
