import { expect, test } from "vitest"
import { createTurns } from "../../../proxy/reload/turns.ts"

/** Turns that end when the test says so, and how each ran. */
function manualTurns() {
  const runs: boolean[] = []
  const ends: (() => void)[] = []
  const take = createTurns((isForced) => {
    runs.push(isForced)
    return new Promise<number>((resolve) => ends.push(() => resolve(runs.length)))
  })
  return { runs, ends, take }
}

test("calls that wait merge into one, which is forced if one of them is", async () => {
  const { runs, ends, take } = manualTurns()
  const first = take(false)
  await Promise.resolve()
  const [second, third, fourth] = [take(false), take(true), take(false)]
  expect(runs).toEqual([false])
  ends[0]?.()
  expect(await first).toBe(1)
  await Promise.resolve()
  ends[1]?.()
  expect(await Promise.all([second, third, fourth])).toEqual([2, 2, 2])
  expect(runs).toEqual([false, true])
})

test("a call after all have ended is a separate turn, and not forced by earlier ones", async () => {
  const { runs, ends, take } = manualTurns()
  const first = take(true)
  await Promise.resolve()
  ends[0]?.()
  await first
  const second = take(false)
  await Promise.resolve()
  ends[1]?.()
  await second
  expect(runs).toEqual([true, false])
})
