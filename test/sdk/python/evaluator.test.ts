// @module-tag system
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { environment, plainContext } from "../evaluation/arbitrary.ts"
import { entryOf, ownFiles, ownVectors, vendorFiles, vendorVectors } from "../evaluation/vectors.ts"

// With what the machine's own Python has; python.test.ts also installs the engine for expressions.
const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0
if (!hasPython) console.warn("SKIPPED: the evaluator in Python, because there is no python3 from 3.10 on")

interface Result {
  readonly passed: number
  /** Cases that were left out because Python has no RE2. */
  readonly expressions: number
  readonly failures: readonly unknown[]
}

function runPython(...files: readonly string[]): Result {
  const script = join(import.meta.dirname, "run_vectors.py")
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
  const result: Result = JSON.parse(execFileSync("python3", [script, ...files], { env, encoding: "utf8" }))
  if (result.expressions > 0)
    console.warn(`SKIPPED: ${result.expressions} cases with expressions, because Python has no module re2`)
  return result
}

describe.skipIf(!hasPython)("the evaluator in Python", () => {
  test("answers the vectors as expected", () => {
    const { failures, passed, expressions } = runPython(...ownFiles, ...vendorFiles.values())
    expect(failures).toEqual([])
    const cases = ownVectors.length + [...vendorVectors.values()].flat().length
    expect(passed + expressions).toBe(cases)
    expect(expressions).toBeLessThan(500)
  })

  test("agrees with ours on random flags and contexts", async () => {
    const lines: string[] = []
    for (const [configuration, context] of fc.sample(fc.tuple(environment, plainContext), 2_000)) {
      const flag = { key: "feature", defaultValue: "default" }
      const { evaluate } = await createEvaluator({ flags: [entryOf({ flag, environment: configuration })] })
      const evaluation = evaluate(flag.key, context)
      const expected =
        evaluation.kind === "evaluated"
          ? { expected: evaluation.value }
          : { expected: null, cannotBeKnown: true }
      lines.push(JSON.stringify({ case: "random", flag, environment: configuration, context, ...expected }))
    }
    const folder = mkdtempSync(join(tmpdir(), "flagstone-python-"))
    const file = join(folder, "random.jsonl")
    writeFileSync(file, lines.join("\n"))
    const { failures, passed } = runPython(file)
    rmSync(folder, { recursive: true })
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(1_000)
  })
})
