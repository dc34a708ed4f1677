// @module-tag property
import { expect, test } from "vitest"
import { runs } from "../../runs.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { raceOnce } from "./race-rounds.ts"

test.each([
  ["a store in memory", true],
  ["a store in memory that ignores conditions", false],
])(
  "publishers at once: %s: exactly one wins, and readers find the winner's files alone",
  async (_, isConditional) => {
    const outcomes = new Set<string>()
    for (let seed = 1; seed <= runs(500); seed++) {
      const files = new Map<string, Buffer>()
      outcomes.add(await raceOnce(seed, () => createMemoryTarget(files, isConditional), { isConditional }))
    }
    expect(outcomes.size).toBeGreaterThan(1)
  },
)
