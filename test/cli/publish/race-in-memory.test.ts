// @module-tag property
import { expect, test } from "vitest"
import { prune } from "../../../cli/publish/prune.ts"
import { runs } from "../../runs.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { publicationOf, publishOnce } from "./publications.ts"
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

test("a publisher that prunes puts back what another needs that published meanwhile", async () => {
  const files = new Map<string, Buffer>()
  const target = createMemoryTarget(files)
  const publish = (revision: string, value: string, hour: number) =>
    publishOnce(target, publicationOf(revision, { a: value }), {
      ...{ perFlag: false, signingKey: undefined, now: Date.UTC(2026, 10, 21, hour) },
    })
  await publish("01", "1", 10)
  const first = new Map(files)
  await publish("02", "2", 11)
  let isAlone = true
  const remove = async (path: string) => {
    if (isAlone) await publish("03", "1", 12)
    isAlone = false
    await target.remove(path)
  }
  await expect(prune({ ...target, remove }, 1)).rejects.toThrow("another publisher is publishing there")
  const documents = [...first].filter(([path]) => path.startsWith("snapshots/"))
  expect(documents.map(([path]) => files.get(path))).toEqual(documents.map(([, bytes]) => bytes))
  expect(documents).toHaveLength(1)
})
