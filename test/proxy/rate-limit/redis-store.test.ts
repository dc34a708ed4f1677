// @module-tag system
import { setImmediate as turn } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { describeStores, startRedis, type TestRedis } from "../../servers/redis.ts"
import { openTestStore, openTestStores, shared, type TestStore } from "./open-store.ts"

/** Refills so slowly that no test sees it. */
const still = { capacity: 160, refillPerSecond: 1e-12 }

/** Takes until it is refused: how many it got. */
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

  /** Lets so many milliseconds pass for the bucket in the store. */
  const passInStore = (milliseconds: number) =>
    redis.command("HINCRBY", "flagstone:bucket:web", "at", String(-milliseconds))

  test("one proxy alone answers as with a bucket of its own", async () => {
    const { take } = await openTestStore(redis.url)
    const bucket = { capacity: 3, refillPerSecond: 0.001 }
    for (const remaining of [2, 1, 0])
      expect(await take(bucket)).toEqual({ kind: "allowed", limit: 3, remaining })
    const refused = await take(bucket)
    expect(refused).toMatchObject({ kind: "exhausted", limit: 3 })
    expect(refused.kind === "exhausted" && refused.retryAfter).toBeGreaterThan(990)
    expect(await take({ ...bucket, capacity: 2 }, "other")).toMatchObject({ limit: 2, remaining: 1 })
  })

  test("what a lease or a remembered refusal decides is known at once", async () => {
    const { take, store } = await openTestStore(redis.url)
    let promises = 0
    for (let count = 0; count < 200; count++) {
      const taken = take(still)
      if (taken instanceof Promise) promises++
      await taken
    }
    expect(promises).toBeLessThan(100)
    expect(store.decisions.store).toBe(promises)
    expect(store.decisions).toMatchObject({ lease: 200 - promises, local: 0 })
    expect(take(still)).toMatchObject({ kind: "exhausted" })
  })

  test("a hundred requests at once need two calls", async () => {
    const { take, calls } = await openTestStore(redis.url)
    const allowances = await Promise.all(Array.from({ length: 100 }, () => take(still)))
    expect(allowances.filter(({ kind }) => kind === "allowed")).toHaveLength(100)
    expect(calls).toHaveLength(2)
  })

  describe.each([3, 8])("%d proxies", (count) => {
    test("together admit the capacity and no more, and none of it is lost", async () => {
      const proxies = await openTestStores(redis.url, count)
      let admitted = 0
      const hammer = async (proxy: TestStore) => {
        while (admitted < still.capacity) {
          if ((await proxy.take(still)).kind === "allowed") admitted++
          proxy.advance(10) // so that a remembered refusal is none for long, and what lies unused goes back
          await turn()
        }
      }
      await Promise.all(proxies.map(hammer))
      for (const proxy of proxies) admitted += await drain(proxy)
      expect(admitted).toBe(still.capacity)
      expect(proxies.map(({ store }) => store.decisions.local)).toEqual(proxies.map(() => 0))
    })

    test("in any time admit at most the capacity and what a second more refills", async () => {
      const bucket = { capacity: 40, refillPerSecond: 100 }
      const proxies = await openTestStores(redis.url, count)
      const begin = performance.now()
      const admitted: number[] = []
      const hammer = async ({ take }: TestStore) => {
        while (admitted.length < 150) {
          if ((await take(bucket)).kind === "allowed") admitted.push(performance.now())
          await turn()
        }
      }
      await Promise.all(proxies.map(hammer))
      for (const [index, moment] of admitted.entries()) {
        const time = (moment - begin) / 1000
        expect(index + 1).toBeLessThanOrEqual(bucket.capacity + bucket.refillPerSecond * (time + 1))
      }
    })

    test("who waits as long as any of them said is answered by each of them", async () => {
      const bucket = { capacity: 20, refillPerSecond: 0.7 }
      const proxies = await openTestStores(redis.url, count)
      for (const proxy of proxies) await drain(proxy, bucket)
      for (const asked of proxies) {
        const refused = await asked.take(bucket)
        if (refused.kind === "allowed") throw new Error("the bucket should be empty")
        await passInStore(refused.retryAfter * 1000)
        for (const { advance } of proxies) advance(refused.retryAfter * 1000)
        for (const { store } of proxies) expect(store.isUp).toBe(true)
        const next = proxies[(proxies.indexOf(asked) + 1) % count]
        expect((await next?.take(bucket))?.kind).toBe("allowed")
        await Promise.all(proxies.map((proxy) => drain(proxy, bucket)))
      }
    })
  })

  test("a second of quiet brings back what was leased and not spent", async () => {
    const [busy, other] = (await openTestStores(redis.url, 2)) as [TestStore, TestStore]
    for (let count = 0; count < 40; count++) await busy.take(still)
    const leased = 120 - Number(await redis.command("HGET", "flagstone:bucket:web", "tokens"))
    expect(leased).toBeGreaterThan(0.9)
    await passInStore(950)
    busy.advance(950)
    const back = async () => Number(await redis.command("HGET", "flagstone:bucket:web", "tokens"))
    while ((await back()) < 120 - 1e-9);
    expect(await drain(other)).toBe(120)
  })

  test("a stop brings it back at once", async () => {
    const [busy, other] = (await openTestStores(redis.url, 2)) as [TestStore, TestStore]
    for (let count = 0; count < 40; count++) await busy.take(still)
    await busy.store.stop()
    expect(await drain(other)).toBe(120)
  })

  test("what goes down with a proxy is at most what it had leased", async () => {
    const [busy, other] = (await openTestStores(redis.url, 2)) as [TestStore, TestStore]
    for (let count = 0; count < 40; count++) await busy.take(still)
    await redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    await other.next(shared)
    const left = await drain(other)
    expect(left).toBeLessThanOrEqual(120)
    expect(left).toBeGreaterThanOrEqual(120 - 2 * (still.capacity / 16))
  })

  test("a key at 50,000 requests a second costs fewer than 200 calls a second", async () => {
    for (const bucket of [
      { capacity: 100_000, refillPerSecond: 60_000 },
      { capacity: 1_000, refillPerSecond: 60_000 },
      { capacity: 1_000, refillPerSecond: 500 },
    ]) {
      const { take, advance, now, calls, store } = await openTestStore(redis.url)
      const begin = now()
      for (let millisecond = 0; millisecond < 1000; millisecond++) {
        await Promise.all(Array.from({ length: 50 }, () => take(bucket, `hot-${bucket.capacity}`)))
        advance(1)
      }
      const seconds = (now() - begin) / 1000
      await store.stop()
      expect(calls.length / seconds).toBeLessThan(200)
    }
  })

  test("a key file that gives a key more counts at once", async () => {
    const { take } = await openTestStore(redis.url)
    await take({ capacity: 1, refillPerSecond: 0.001 })
    expect((await take({ capacity: 1, refillPerSecond: 0.001 })).kind).toBe("exhausted")
    await passInStore(3_000)
    expect(await take({ capacity: 5, refillPerSecond: 1 })).toMatchObject({ limit: 5, remaining: 2 })
  })

  test("a store whose clock is 10 s behind its predecessor's gives nothing and takes nothing", async () => {
    const proxies = await openTestStores(redis.url, 3)
    const bucket = { capacity: 100, refillPerSecond: 0.01 }
    for (const proxy of proxies) for (let count = 0; count < 10; count++) await proxy.take(bucket)
    for (const { advance } of proxies) advance(950)
    const tokens = async () => Number(await redis.command("HGET", "flagstone:bucket:web", "tokens"))
    while ((await tokens()) < 69.8);
    await passInStore(-10_000)
    let left = 0
    for (const proxy of proxies) left += await drain(proxy, bucket)
    expect(left).toBeGreaterThanOrEqual(69)
    expect(left).toBeLessThanOrEqual(71)
  })

  test("counts the proxies that were seen last", async () => {
    const [first, second] = (await openTestStores(redis.url, 2)) as [TestStore, TestStore]
    const third = await openTestStore(redis.url)
    expect(third.store.proxies).toBe(3)
    await Promise.all([first.store.stop(), second.store.stop()])
    expect((await openTestStore(redis.url)).store.proxies).toBe(2)
  })
})
