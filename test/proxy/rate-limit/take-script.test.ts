// @module-tag system
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Bucket } from "../../../proxy/contract/bucket.ts"
import { takeScript } from "../../../proxy/rate-limit/take-script.ts"
import { createBucketState, takeToken } from "../../../proxy/rate-limit/token-bucket.ts"
import { describeStores, startRedis, type TestRedis } from "../../servers/redis.ts"

// The script on a real store, with a test's times instead of the store's own.
const script = takeScript.replace('redis.call("TIME")', "{ ARGV[4], ARGV[5] }")
/** A store expires keys by its own clock, on which a slow test takes longer than its own times say. */
const rememberingScript = script.replace(/redis.call."PEXPIRE".*/, "")

describeStores((name) => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis(name)
  })
  afterAll(() => redis.stop())
  let buckets = 0

  /** An untouched bucket, and how the script draws on it. */
  function createBucket({ capacity, refillPerSecond }: Bucket, script: string) {
    const key = `flagstone:bucket:${++buckets}`
    return {
      key,
      async take(now: number, asked: number) {
        const moment = Math.floor(now)
        const time = [Math.floor(moment / 1000), (moment % 1000) * 1000]
        const args = [capacity, refillPerSecond, asked, ...time].map(String)
        const [granted, left, wait] = (await redis.command("EVAL", script, "1", key, ...args)) as [
          number,
          string,
          number,
        ]
        return { granted, left: Number(left), wait }
      },
    }
  }

  test("is the bucket in memory: the same tokens to the last digit and the same waits, though the clock goes back", async () => {
    const anyBucket = fc.record({
      capacity: fc.integer({ min: 1, max: 1000 }),
      refillPerSecond: fc.double({ min: 0.01, max: 1000, noNaN: true }),
    })
    const anySteps = fc.array(fc.integer({ min: -1_000, max: 3_000 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(anyBucket, anySteps, async (bucket, steps) => {
        const { take } = createBucket(bucket, rememberingScript)
        let state = createBucketState(bucket, 0)
        let now = 0
        for (const step of steps) {
          now = Math.max(0, now + step)
          const taken = takeToken(state, bucket, now)
          state = taken.state
          const { granted, left, wait } = await take(now, 1)
          expect(granted).toBe(taken.allowance.kind === "allowed" ? 1 : 0)
          if (taken.allowance.kind === "allowed") expect(left).toBe(state.tokens)
          else expect(Math.max(1, Math.ceil(wait / 1000))).toBe(taken.allowance.retryAfter)
        }
      }),
      { numRuns: 30 },
    )
  })

  test("grants what there is, and returns what is left and when the next one comes", async () => {
    const { take } = createBucket({ capacity: 100, refillPerSecond: 1 }, script)
    expect(await take(0, 0)).toEqual({ granted: 0, left: 100, wait: 0 })
    expect(await take(0, 93)).toEqual({ granted: 93, left: 7, wait: 0 })
    expect(await take(0, 10)).toEqual({ granted: 7, left: 0, wait: 1000 })
    expect(await take(250, 1)).toEqual({ granted: 0, left: 0.25, wait: 750 })
    expect(await take(1_500, 3)).toEqual({ granted: 1, left: 0.5, wait: 500 })
  })

  test.each([
    ["-inf", "0"],
    ["inf", "0"],
    ["nan", "0"],
    ["-1", "0"],
    ["1e300", "0"],
    ["much", "0"],
    ["5", "nan"],
    ["5", "-inf"],
    ["5", "soon"],
  ])(
    "a bucket of %s tokens at %s, written by someone else, admits no more than a new one",
    async (tokens, at) => {
      const { key, take } = createBucket({ capacity: 10, refillPerSecond: 1 }, script)
      await redis.command("HSET", key, "tokens", tokens, "at", at)
      expect(await take(0, 4)).toEqual({ granted: 4, left: 6, wait: 0 })
      expect(await take(0, 100)).toEqual({ granted: 6, left: 0, wait: 1000 })
    },
  )

  test("a change of the key file counts at the next call", async () => {
    const { key, take } = createBucket({ capacity: 10, refillPerSecond: 1 }, script)
    await take(0, 1)
    const args = ["5", "1", "1", "0", "0"]
    expect(await redis.command("EVAL", script, "1", key, ...args)).toEqual([1, "4", 0])
  })

  test("is forgotten as soon as it would be full", async () => {
    const { key, take } = createBucket({ capacity: 100, refillPerSecond: 10 }, script)
    await take(0, 50)
    const left = Number(await redis.command("PTTL", key))
    expect(left).toBeGreaterThan(5_000)
    expect(left).toBeLessThanOrEqual(6_000)
    const huge = createBucket({ capacity: Number.MAX_SAFE_INTEGER, refillPerSecond: 1 / 86_400 }, script)
    expect(await huge.take(0, 1_000_000)).toMatchObject({ granted: 1_000_000 })
  })

  test("reads the store's own clock: a state that its predecessor wrote 10 s ahead gives nothing and takes nothing", async () => {
    const key = "flagstone:bucket:failover"
    const take = (need: number) => redis.command("EVAL", takeScript, "1", key, "10", "0.001", String(need))
    expect(await take(4)).toEqual([4, "6", 0])
    await redis.command("HINCRBY", key, "at", "10000")
    const [granted, left] = (await take(1)) as [number, string]
    expect(granted).toBe(1)
    expect(Number(left)).toBeCloseTo(5, 3)
    const at = Number(await redis.command("HGET", key, "at"))
    const [seconds] = (await redis.command("TIME")) as [string]
    expect(Math.abs(at / 1000 - Number(seconds))).toBeLessThan(5)
  })
})
