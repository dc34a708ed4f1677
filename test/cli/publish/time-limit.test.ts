import { afterEach, beforeEach, expect, test, vi } from "vitest"
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

test("hanging operations are given up at the limit; the clean-up after them still runs", async () => {
  const target = limitTime({ ...createMemoryTarget(), read: hangs, remove: hangs }, 20)
  const begun = [target.read("a"), target.read("b"), target.remove("c")].map(watch)
  await pass(19)
  expect(begun.map(({ now }) => now)).toEqual(["under way", "under way", "under way"])
  await pass(1)
  expect(begun.map(({ now }) => now)).toEqual([late, late, late])
  expect(await target.write(file)).toBe("written")
  await target.close()
})

test("one hanging operation is enough for that", async () => {
  const target = limitTime({ ...createMemoryTarget(), read: hangs }, 20)
  const reading = watch(target.read("a"))
  await pass(20)
  expect(reading.now).toBe(late)
  expect(await target.write(file)).toBe("written")
  await target.close()
})

test("if nothing hangs at that moment, the next operation is given up, and only that one", async () => {
  const target = limitTime(createMemoryTarget(), 20)
  expect(await target.write(file)).toBe("written")
  expect((await target.read("a"))?.bytes.toString()).toBe("a")
  await pass(20)
  await expect(target.read("a")).rejects.toThrow(late)
  expect(await target.write(file, { replaces: undefined })).toBe("lost")
  await target.remove("a")
  expect(await target.read("a")).toBeUndefined()
  await target.close()
})

test("the clean-up has thirty seconds; then everything is given up, and stays so", async () => {
  const target = limitTime({ ...createMemoryTarget(), write: hangs }, 20)
  const overdue = watch(target.overdue)
  await pass(20)
  await expect(target.read("a")).rejects.toThrow(late)
  const cleaning = watch(target.write(file))
  await pass(29_999)
  expect([cleaning.now, overdue.now]).toEqual(["under way", "under way"])
  await pass(1)
  expect([cleaning.now, overdue.now]).toEqual([late, late])
  await expect(target.read("a")).rejects.toThrow(late)
  await expect(target.read("a")).rejects.toThrow(late)
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
