import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { announceWaits } from "../../../cli/publish/announce-waits.ts"
import { limitTime } from "../../../cli/publish/time-limit.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const file = { path: "a", bytes: Buffer.from("a"), contentType: "", cacheControl: "" }
const hangs = () => new Promise<never>(() => undefined)
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const late = "this took longer than --time-limit allows (0.02 s)"

/** What became of a promise so far. */
function watch(promise: Promise<unknown>) {
  const outcome = { now: "under way" }
  promise.then(
    () => {
      outcome.now = "done"
    },
    (error: Error) => {
      outcome.now = error.message
    },
  )
  return outcome
}

test("hanging operations are given up at the limit, and all later ones", async () => {
  let asked = 0
  const target = limitTime(
    {
      ...createMemoryTarget(),
      remove: hangs,
      read() {
        asked++
        return hangs()
      },
    },
    20,
  )
  const overdue = watch(target.overdue)
  const begun = [target.read("a"), target.read("b"), target.remove("c")].map(watch)
  await pass(19)
  expect(begun.map(({ now }) => now)).toEqual(["under way", "under way", "under way"])
  await pass(1)
  expect(begun.map(({ now }) => now)).toEqual([late, late, late])
  await expect(target.write(file)).rejects.toThrow(late)
  await expect(target.read("a")).rejects.toThrow(late)
  expect([asked, overdue.now]).toEqual([2, "under way"])
  await pass(1_000)
  expect(overdue.now).toBe(late)
  await target.close()
})

test("a target that does not answer is named every ten seconds, once for all that is under way", async () => {
  const lines: string[] = []
  const target = announceWaits({ ...createMemoryTarget(), read: hangs }, (line) => lines.push(line))
  const seconds = () => lines.splice(0).map((line) => Number(/for (\d+) s\n$/.exec(line)?.[1]))
  void target.read("a")
  void target.read("b")
  await pass(25_000)
  expect(lines[0]).toBe("waiting for memory: nothing has succeeded for 10 s\n")
  expect(seconds()).toEqual([10, 20])
  await target.write(file)
  await pass(15_000)
  expect(seconds()).toEqual([10])
  await target.close()
  const idle = announceWaits(createMemoryTarget(), (line) => lines.push(line))
  await idle.write(file)
  await pass(60_000)
  expect(lines).toEqual([])
})

test("if nothing hangs at that moment, the next operation is given up", async () => {
  const target = limitTime(createMemoryTarget(), 20)
  expect(await target.write(file)).toBe("written")
  expect((await target.read("a"))?.bytes.toString()).toBe("a")
  await pass(20)
  await expect(target.remove("a")).rejects.toThrow(late)
  await target.close()
})

test("a target that is closed gives up nothing, and keeps no timer", async () => {
  let isClosed = false
  const target = limitTime(
    {
      ...createMemoryTarget(),
      read: hangs,
      async close() {
        isClosed = true
      },
    },
    20,
  )
  const reading = watch(target.read("a"))
  await target.close()
  expect([isClosed, vi.getTimerCount()]).toEqual([true, 0])
  await pass(40_000)
  expect(reading.now).toBe("under way")
})
