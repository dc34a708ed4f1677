import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { createEvaluationQueue } from "../../../proxy/evaluate/evaluation-queue.ts"

/** A queue whose clock advances by a millisecond with each step of work, and what was done in which order. */
function createTestQueue() {
  let now = 0
  const steps: string[] = []
  const queue = createEvaluationQueue(() => now)
  function* work(name: string, milliseconds: number): Generator<void, string> {
    for (let step = 0; step < milliseconds; step++) {
      now++
      steps.push(name)
      yield
    }
    return name
  }
  return {
    steps,
    run: (address: string, milliseconds: number) => queue.run(address, work(address, milliseconds)),
    runs: queue.run,
  }
}

test("work has a result, and an error", async () => {
  const { run, runs } = createTestQueue()
  expect(await run("a", 3)).toBe("a")
  expect(await run("a", 0)).toBe("a")
  const fails = function* (): Generator<void, string> {
    yield
    throw new Error("broken")
  }
  const failed = runs("a", fails())
  const next = run("a", 1)
  await expect(failed).rejects.toThrow("broken")
  expect(await next).toBe("a")
})

test("an address waits for its own work, and for one turn of each other", async () => {
  const { run, steps } = createTestQueue()
  const greedy = Promise.all(Array.from({ length: 20 }, () => run("greedy", 100)))
  await nextTurn()
  for (let round = 0; round < 5; round++) {
    const before = steps.length
    await run("modest", 4)
    expect(steps.slice(before).filter((name) => name === "greedy").length).toBeLessThanOrEqual(10)
  }
  await greedy
  expect(steps.filter((name) => name === "greedy")).toHaveLength(2000)
})

test("everything else comes between two turns of 5 ms", async () => {
  const { run, steps } = createTestQueue()
  let isOver = false
  const work = Promise.all(["a", "b", "c"].map((address) => run(address, 200))).then(() => {
    isOver = true
  })
  let before = 0
  while (!isOver) {
    await nextTurn()
    expect(steps.length - before).toBeLessThanOrEqual(5)
    before = steps.length
  }
  await work
  expect(steps).toHaveLength(600)
})

test("an address's work is done in order, and short work does not wait for another address's long work", async () => {
  const { run } = createTestQueue()
  const order: string[] = []
  await Promise.all([
    run("a", 50).then(() => order.push("a long")),
    run("a", 1).then(() => order.push("a short")),
    run("b", 1).then(() => order.push("b short")),
  ])
  expect(order).toEqual(["b short", "a long", "a short"])
})
