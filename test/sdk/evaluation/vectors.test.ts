import { describe, expect, test } from "vitest"
import { parseSnapshot } from "../../../sdk/contract/snapshot.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { documentCases, entryOf, ownVectors, type Vector, vendorVectors } from "./vectors.ts"

/** The cases that the evaluator does not answer as expected. */
async function failures(vectors: readonly Vector[]): Promise<readonly unknown[]> {
  const failed: unknown[] = []
  for (const vector of vectors) {
    const evaluator = await createEvaluator({ flags: [entryOf(vector)] })
    const evaluation = evaluator.evaluate(vector.flag.key, vector.context)
    const actual =
      evaluation.kind === "evaluated" ? { value: evaluation.value } : { cannotBeKnown: evaluation.kind }
    const expected = vector.cannotBeKnown ? { cannotBeKnown: "unknownOperator" } : { value: vector.expected }
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      failed.push({ case: vector.case, actual, expected })
  }
  return failed
}

describe("vectors", () => {
  test("Flagstone's own, each with a name and a reason", async () => {
    expect(ownVectors.filter(({ suite }) => suite === "flagstone")).toHaveLength(1343)
    expect(new Set(ownVectors.map((vector) => `${vector.suite}: ${vector.case}`)).size).toBe(
      ownVectors.length,
    )
    expect(await failures(ownVectors)).toEqual([])
  })

  test("documents that are accepted, and documents that are refused", () => {
    expect(new Set(documentCases.map((each) => each.case)).size).toBe(200)
    const wrong = documentCases.filter(
      ({ document, accepted }) => (parseSnapshot(document).kind === "valid") !== accepted,
    )
    expect(wrong).toEqual([])
  })

  test.for([
    ["launchdarkly", 381],
    ["unleash", 141],
  ] as const)("%s", async ([name, count], { skip }) => {
    const vectors = vendorVectors.get(name)
    if (vectors === undefined) return skip(`${name}.jsonl.gz is not here`)
    expect(vectors).toHaveLength(count)
    expect(await failures(vectors)).toEqual([])
  })
})
