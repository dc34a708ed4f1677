import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createBreaker } from "../../../proxy/rate-limit/breaker.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A breaker of a store that is as the test says, and what happened to it. */
function start(random = 0.5) {
  const test = { fault: undefined as string | undefined, events: [] as string[], probes: 0 }
  const breaker = createBreaker({
    async probe() {
      test.probes++
      return test.fault
    },
    random: () => random,
    onOpen: (fault) => test.events.push(`open: ${fault}`),
    onClose: () => test.events.push("closed"),
  })
  return Object.assign(test, { breaker })
}

test("is open until the store has answered once, which nobody is told of", async () => {
  const { breaker, events } = start()
  expect(breaker.isOpen).toBe(true)
  await breaker.start()
  expect(breaker).toMatchObject({ isOpen: false, fault: undefined })
  expect(events).toEqual(["closed"])
})

test("opens at the first failure, and looks again after a second, not after the pulse", async () => {
  const test = start()
  await test.breaker.start()
  test.fault = "still away"
  test.breaker.fail("LOADING")
  expect(test.breaker).toMatchObject({ isOpen: true, fault: "LOADING" })
  await vi.advanceTimersByTimeAsync(999)
  expect(test.probes).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(test.probes).toBe(2)
  expect(test.breaker.fault).toBe("still away")
  test.fault = undefined
  await vi.advanceTimersByTimeAsync(1000)
  expect(test.breaker).toMatchObject({ isOpen: false, fault: undefined })
  expect(test.events).toEqual(["closed", "open: LOADING", "closed"])
})

test.each([
  [0, 750],
  [0.9, 1200],
])("of proxies that lost it together each looks at another moment: %d after %d ms", async (random, delay) => {
  const test = start(random)
  test.fault = "away"
  await test.breaker.start()
  await vi.advanceTimersByTimeAsync(delay - 1)
  expect(test.probes).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(test.probes).toBe(2)
})

test("while nobody asks, a pulse finds that the store is away", async () => {
  const test = start()
  await test.breaker.start()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(test.probes).toBe(2)
  test.fault = "away"
  await vi.advanceTimersByTimeAsync(2_000)
  expect(test.breaker.isOpen).toBe(true)
})

test("is open for good when it is stopped, and asks no more", async () => {
  const test = start()
  await test.breaker.start()
  test.breaker.stop()
  test.breaker.fail("the connection is closed")
  await vi.advanceTimersByTimeAsync(10_000)
  expect(test.breaker.isOpen).toBe(true)
  expect(test.events).toEqual(["closed"])
  expect(test.probes).toBe(1)
})
