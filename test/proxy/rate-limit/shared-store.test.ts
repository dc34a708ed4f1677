// @module-tag system
// @module-tag slow
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { describeStores, startRedis, type TestRedis } from "../../servers/redis.ts"
import { openTestStore, openTestStores, type TestStore } from "./open-store.ts"

/** Refills so slowly that no test sees it. */
const still = { capacity: 160, refillPerSecond: 1 / 86_400 }

/** Takes until it is refused; returns how many it got. */
async function drain({ take }: TestStore, bucket = still): Promise<number> {
  for (let count = 0; ; count++) if ((await take(bucket)).kind === "exhausted") return count
}

describeStores((name) => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis(name)
  })
  afterAll(() => redis.stop())
  beforeEach(() => redis.command("FLUSHALL"))

  /** Lets this many milliseconds pass for the bucket in the store. */
  const passInStore = (milliseconds: number) =>
    redis.command("HINCRBY", "flagstone:bucket:web", "at", String(-milliseconds))

  test("requests that come while a call is under way ask together, each with its own part of the answer", async () => {
    const { take, calls } = await openTestStore(redis.url)
    const bucket = { capacity: 60, refillPerSecond: 0.001 }
    const allowances = await Promise.all(Array.from({ length: 100 }, () => take(bucket)))
    expect(calls).toHaveLength(2)
    expect(allowances.slice(0, 60).map((one) => one.kind === "allowed" && one.remaining)).toEqual(
      Array.from({ length: 60 }, (_, index) => 59 - index),
    )
    for (const refused of allowances.slice(60))
      expect(refused).toMatchObject({ kind: "exhausted", limit: 60 })
  })

  test("a key costs at most a call a millisecond, however many clients ask", async () => {
    const { take, calls } = await openTestStore(redis.url)
    const bucket = { capacity: 1_000_000, refillPerSecond: 1 }
    const end = performance.now() + 300
    const begin = performance.now()
    let answered = 0
    const client = async () => {
      for (; performance.now() < end; answered++) await take(bucket)
    }
    await Promise.all(Array.from({ length: 50 }, client))
    const milliseconds = performance.now() - begin
    expect(answered).toBeGreaterThan(calls.length * 10)
    expect(calls.length).toBeLessThanOrEqual(milliseconds + 1)
  })

  test("a refusal costs no call until the store's own wait is over", async () => {
    const { take, calls, advance, store } = await openTestStore(redis.url)
    const bucket = { capacity: 1, refillPerSecond: 0.5 }
    await take(bucket)
    const made = calls.length
    for (let count = 0; count < 100; count++)
      expect(take(bucket)).toEqual({ kind: "exhausted", limit: 1, retryAfter: 2 }) // no promise
    expect(store.decisions).toEqual({ store: 1, refusal: 100, local: 0 })
    expect(calls).toHaveLength(made)
    advance(2_000)
    await passInStore(2_000)
    expect((await take(bucket)).kind).toBe("allowed")
  })

  describe.each([3, 8])("%d proxies", (count) => {
    test("together admit the capacity and no more", async () => {
      const proxies = await openTestStores(redis.url, count)
      const admitted = await Promise.all(proxies.map((proxy) => drain(proxy)))
      expect(admitted.reduce((sum, part) => sum + part)).toBe(still.capacity)
      expect(proxies.map(({ store }) => store.decisions.local)).toEqual(proxies.map(() => 0))
    })

    test("in any time admit at most the capacity and what is refilled", async () => {
      const bucket = { capacity: 40, refillPerSecond: 100 }
      const proxies = await openTestStores(redis.url, count)
      const begin = performance.now()
      const admitted: number[] = []
      const hammer = async ({ take }: TestStore) => {
        while (admitted.length < 150) {
          if ((await take(bucket)).kind === "allowed") admitted.push(performance.now())
          await sleep(1)
        }
      }
      await Promise.all(proxies.map(hammer))
      for (const [index, moment] of admitted.entries()) {
        const time = Math.ceil(moment - begin) + 1 // the store counts whole milliseconds
        expect(index + 1).toBeLessThanOrEqual(bucket.capacity + (bucket.refillPerSecond * time) / 1000)
      }
    })

    test("a client that waits as long as any of them said is answered by all of them", async () => {
      const bucket = { capacity: 20, refillPerSecond: 0.7 }
      const proxies = await openTestStores(redis.url, count)
      for (const proxy of proxies) await drain(proxy, bucket)
      for (const [index, asked] of proxies.entries()) {
        const refused = await asked.take(bucket)
        if (refused.kind === "allowed") throw new Error("the bucket should be empty")
        await passInStore(refused.retryAfter * 1000)
        for (const { advance } of proxies) advance(refused.retryAfter * 1000)
        expect((await proxies[(index + 1) % count]?.take(bucket))?.kind).toBe("allowed")
        await Promise.all(proxies.map((proxy) => drain(proxy, bucket)))
      }
    })
  })

  test("a key file that raises a key's limit takes effect immediately", async () => {
    const { take } = await openTestStore(redis.url)
    const small = { capacity: 1, refillPerSecond: 0.001 }
    await take(small)
    expect(take(small)).toMatchObject({ kind: "exhausted" })
    await passInStore(3_000)
    const large = { capacity: 5, refillPerSecond: 1 }
    expect(await take(large)).toMatchObject({ limit: 5, remaining: 2 })
    const together = await Promise.all([take(large), take(large), take({ capacity: 9, refillPerSecond: 1 })])
    expect(together.slice(1).map(({ limit }) => limit)).toEqual([9, 9]) // which ask together
  })

  test("a proxy that stops, or is lost, loses nothing", async () => {
    const [busy, other] = (await openTestStores(redis.url, 2)) as [TestStore, TestStore]
    for (let count = 0; count < 40; count++) await busy.take(still)
    busy.store.stop()
    expect(await drain(other)).toBe(120)
  })
})
