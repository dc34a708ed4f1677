import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { createEvaluationQueue } from "../../../proxy/evaluate/evaluation-queue.ts"

/** A queue whose clock advances by a millisecond with each step of work, and what was done in which order. */
function createTestQueue() {
  let now = 0
  let connections = 0
  const steps: string[] = []
  const queue = createEvaluationQueue(
    () => now,
    () => connections,
  )
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
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    connect: () => {
      connections++
    },
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

test("an address whose steps are long gets no more time than the others", async () => {
  const { runs, run, pass, steps } = createTestQueue()
  let [greedy, isOver] = [0, false]
  function* longSteps(): Generator<void, void> {
    while (!isOver) {
      greedy += 30
      pass(30)
      yield
    }
  }
  const long = runs("greedy", longSteps())
  await nextTurn()
  greedy = 0
  await run("modest", 100)
  isOver = true
  await long
  expect(steps).toHaveLength(100)
  expect(greedy).toBeLessThanOrEqual(100 + 50)
  expect(greedy).toBeGreaterThanOrEqual(60)
})

test("an address that comes later gets the same time from then on, not all that the others have had", async () => {
  const { run, steps } = createTestQueue()
  const early = run("early", 200)
  while (steps.length < 100) await nextTurn()
  const before = steps.length
  const late = run("late", 50)
  await Promise.all([early, late])
  const late20 = steps.slice(before, before + 20).filter((name) => name === "late")
  expect(late20).toHaveLength(10)
})

test("waiting connections are accepted before the next turn, for up to 50 ms", async () => {
  const { run, steps, connect, pass } = createTestQueue()
  const work = run("a", 20)
  await nextTurn()
  const before = steps.length
  for (let millisecond = 0; millisecond < 49; millisecond++) {
    connect()
    pass(1)
    await nextTurn()
  }
  expect(steps).toHaveLength(before)
  connect()
  pass(1)
  await nextTurn()
  expect(steps).toHaveLength(before + 1)
  await work
})
