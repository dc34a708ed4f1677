import { describe, expect, test } from "vitest"
import { inParallel } from "../../../cli/publish/in-parallel.ts"

describe("in parallel", () => {
  test("results in order, at most eight at a time", async () => {
    let running = 0
    let most = 0
    const results = await inParallel([...Array(40).keys()], async (item) => {
      most = Math.max(most, ++running)
      await new Promise((done) => setImmediate(done))
      running--
      return item * 2
    })
    expect(results).toEqual([...Array(40).keys()].map((item) => item * 2))
    expect(most).toBe(8)
  })
  test("after a failure nothing starts, and everything that started has ended", async () => {
    const ended: number[] = []
    const work = inParallel([...Array(100).keys()], async (item) => {
      if (item === 3) throw new Error("third")
      await new Promise((done) => setImmediate(done))
      ended.push(item)
    })
    await expect(work).rejects.toThrow("third")
    expect(ended).toEqual([0, 1, 2, 4, 5, 6, 7])
  })
})
