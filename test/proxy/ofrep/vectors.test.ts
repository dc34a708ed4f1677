import { describe, expect, test } from "vitest"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { entryOf, ownVectors, type Vector, vendorVectors } from "../../sdk/evaluation/vectors.ts"
import { createEvaluateApp } from "./evaluated-flags.ts"

/** The vectors in as few groups as there can be, each with every key at most once. */
function groupsOf(vectors: readonly Vector[]): readonly (readonly Vector[])[] {
  const groups: Vector[][] = []
  const seen = new Map<string, number>()
  for (const vector of vectors) {
    const at = seen.get(vector.flag.key) ?? 0
    seen.set(vector.flag.key, at + 1)
    groups[at] ??= []
    groups[at].push(vector)
  }
  return groups
}

/** `entryOf`, in the environment and project of the app. */
function entryIn(vector: Vector): FlagEntry {
  const { flag, environment } = entryOf(vector)
  return { flag, environment: environment && { ...environment, environmentId: "production" } }
}

/** The cases for which OFREP's answer must differ from the in-process evaluator's. */
async function failures(vectors: readonly Vector[]): Promise<readonly unknown[]> {
  const failed: unknown[] = []
  for (const group of groupsOf(vectors)) {
    const flags = group.map(entryIn).sort((one, other) => (one.flag.key < other.flag.key ? -1 : 1))
    const app = await createEvaluateApp(flags)
    for (const { case: name, flag, context, expected, cannotBeKnown } of group) {
      app.clock.monotonic += 10_000
      const one = await app.evaluate(flag.key, context)
      const all = await app.evaluate(undefined, context)
      const item = all.body.flags.find(({ key }: { key: string }) => key === flag.key)
      const wanted = cannotBeKnown
        ? [400, undefined, "GENERAL", undefined, "GENERAL"]
        : [200, expected, undefined, expected, undefined]
      const got = [one.status, one.body.value, one.body.errorCode, item.value, item.errorCode]
      if (JSON.stringify(got) !== JSON.stringify(wanted)) failed.push({ name, got, wanted })
    }
  }
  return failed
}

describe("every vector gives the same over OFREP as in process", () => {
  test("Flagstone's own", { tags: ["slow"] }, async () => {
    expect(ownVectors.length).toBeGreaterThan(1_100)
    expect(await failures(ownVectors)).toEqual([])
  })

  test.for([["launchdarkly"], ["unleash"]] as const)("%s", async ([name], { skip }) => {
    const vectors = vendorVectors.get(name)
    if (vectors === undefined) return skip(`${name}.jsonl.gz is not here`)
    expect(await failures(vectors)).toEqual([])
  })
})
