// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"

test("300,000 random keys, paths and addresses do not grow the heap", () => {
  const script = join(import.meta.dirname, "flood.ts")
  const out = execFileSync(process.execPath, ["--expose-gc", script], { encoding: "utf8", timeout: 230_000 })
  const { before, after, statuses } = JSON.parse(out)
  expect(Object.values<number>(statuses).reduce((sum, count) => sum + count, 0)).toBe(300_000)
  expect(Object.keys(statuses)).toEqual(["200", "401", "404", "429"])
  expect(after - before).toBeLessThan(2_000_000)
}, 240_000)
