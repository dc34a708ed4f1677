// @module-tag system
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { entryOf, ownVectors, type Vector } from "./vectors.ts"

// The evaluator before the operators below existed, from git: what SDKs of that time do with today's documents.
const root = resolve(import.meta.dirname, "../../..")
const version = "cf334be"
const git = ["-C", root]
const isThere = spawnSync("git", [...git, "cat-file", "-e", `${version}^{commit}`]).status === 0
if (!isThere)
  console.warn(`SKIPPED: what an old evaluator does, because the commit ${version} is not in this clone`)

const folder = mkdtempSync(join(tmpdir(), "flagstone-old-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** The operators that it does not know. */
const newer =
  /IgnoreCase|"operator":"(share|beforeOrEquals|afterOrEquals)"|\\"operator\\":\\"(share|before|after)OrEq/

describe.skipIf(!isThere)("the evaluator of 0.1", () => {
  test("gives an error, and so the caller's default, if it reaches a rule with a newer operator", async () => {
    const tar = execFileSync("git", [...git, "archive", version, "sdk/evaluation"], { maxBuffer: 2 ** 26 })
    execFileSync("tar", ["-x", "-C", folder], { input: tar })
    const old: { createEvaluator: typeof createEvaluator } = await import(
      join(folder, "sdk/evaluation/evaluator.ts")
    )
    const evaluate = async (vector: Vector) =>
      (await old.createEvaluator({ flags: [entryOf(vector)] })).evaluate(vector.flag.key, vector.context)
    const [share, group] = ["share: checkout and user-1 from 0 to 17", "share: inside all, outside"].map(
      (name) => ownVectors.find((vector) => vector.case === name) as Vector,
    ) as [Vector, Vector]
    expect(await evaluate(share)).toEqual({
      kind: "unknownOperator",
      key: "feature",
      ruleId: "rule-0",
      operator: "share",
    })
    expect(await evaluate(group)).toMatchObject({ kind: "unknownOperator", operator: "share" })

    const asked = ownVectors.filter(
      ({ environment }) => environment?.rules.length === 1 && newer.test(JSON.stringify(environment.rules)),
    )
    expect(asked.length).toBeGreaterThan(120)
    for (const vector of asked) {
      const evaluation = await evaluate(vector)
      // In a group another part may decide, as in Kleene's logic; then the value is right.
      if (evaluation.kind === "evaluated")
        expect([vector.case, evaluation.value]).toEqual([vector.case, vector.expected])
    }
  })
})
