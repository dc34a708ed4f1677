import pino from "pino"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createOutageLog } from "../../../proxy/rate-limit/outage-log.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const away = "rate limits not shared: the store is away"
const shared = "rate limits shared"

/** A log, and what it has said so far: level, message and what else a reader looks at. */
function start() {
  const said: unknown[] = []
  const stream = {
    write(line: string) {
      const { level, msg, fault, outages } = JSON.parse(line)
      said.push([level === 40 ? "warn" : "info", msg, fault ?? "", outages ?? 1])
    },
  }
  return { said, log: createOutageLog(pino({}, stream), () => ({ store: "redis://a", proxies: 2 })) }
}

test("an outage is said when it begins and when it ends", async () => {
  const { said, log } = start()
  log.end()
  log.begin("LOADING")
  await vi.advanceTimersByTimeAsync(5_000)
  log.end()
  await vi.advanceTimersByTimeAsync(600_000)
  log.begin("gone")
  expect(said).toEqual([
    ["info", shared, "", 1],
    ["warn", away, "LOADING", 1],
    ["info", shared, "", 1],
    ["warn", away, "gone", 1],
  ])
})

test("a store that comes and goes is said once a minute, with how often it went", async () => {
  const { said, log } = start()
  for (let second = 0; second < 150; second++) {
    log.begin(`slow at ${second}`)
    await vi.advanceTimersByTimeAsync(500)
    log.end()
    await vi.advanceTimersByTimeAsync(500)
  }
  await vi.advanceTimersByTimeAsync(600_000)
  expect(said).toEqual([
    ["warn", away, "slow at 0", 1],
    ["info", shared, "", 1],
    ["info", shared, "", 59],
    ["info", shared, "", 60],
    ["info", shared, "", 30],
  ])
})

test("the last line says how it is", async () => {
  const { said, log } = start()
  for (const fault of ["first", "second", "third"]) {
    log.begin(fault)
    await vi.advanceTimersByTimeAsync(1_000)
    if (fault !== "third") log.end()
  }
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said.at(-1)).toEqual(["warn", away, "third", 2])
  log.end()
  expect(said.at(-1)).toEqual(["info", shared, "", 1])
  expect(said).toHaveLength(4)
})

test("nothing is said after it was stopped, and no timer keeps the process", async () => {
  const { said, log } = start()
  log.begin("a")
  log.end()
  log.begin("b")
  log.stop()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(said).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})
