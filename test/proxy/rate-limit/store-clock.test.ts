// @module-tag system
import { spawnSync } from "node:child_process"
import { describe, expect, onTestFinished, test } from "vitest"
import { faketime, movableClock } from "../../servers/faketime.ts"
import { describeStores, startRedis } from "../../servers/redis.ts"
import { openTestStores, type TestStore } from "./open-store.ts"

// A store's clock jumps when someone sets it, or when a machine was suspended. The promise: a jump ahead refills each
// bucket as if that time had passed, so it adds at most one capacity; a jump back gives nothing and takes nothing, and
// no one waits for the old time to come again.

if (faketime === undefined)
  console.warn("SKIPPED: a store whose clock jumps, because libfaketime is not installed")

/** False if the store's allocator reads the clock before the library is ready, as Debian's jemalloc does: they deadlock. */
function canFake(name: string): boolean {
  if (faketime === undefined) return false
  const { status } = spawnSync(name, ["--version"], {
    env: { ...process.env, LD_PRELOAD: faketime },
    timeout: 1_000,
  })
  if (status !== 0)
    console.warn(`SKIPPED: a clock that jumps, because ${name} does not run under libfaketime`)
  return status === 0
}

const bucket = { capacity: 20, refillPerSecond: 1 }

describeStores((name) => {
  /** Two proxies, and a way to move their store's clock by this many seconds. */
  async function start() {
    const { env, move } = movableClock()
    const redis = await startRedis(name, [], { env })
    onTestFinished(() => redis.stop())
    const [one, other] = (await openTestStores(redis.url, 2)) as [TestStore, TestStore]
    async function jump(seconds: number): Promise<void> {
      move(seconds)
      const time = async () => Number(((await redis.command("TIME")) as string[])[0])
      while (Math.abs((await time()) - Date.now() / 1000 - seconds) > 2);
    }
    return { one, other, jump }
  }

  /** -1: refused. */
  async function remaining({ take }: TestStore): Promise<number> {
    const allowance = await take(bucket)
    return allowance.kind === "allowed" ? allowance.remaining : -1
  }

  /** The rest is a test machine's own time, a token a second. */
  function expectAbout(found: number, least: number): void {
    expect(found).toBeGreaterThanOrEqual(least)
    expect(found).toBeLessThanOrEqual(least + 4)
  }

  describe.skipIf(!canFake(name))("a clock that jumps", () => {
    test("ahead refills, up to the capacity", async () => {
      const { one, other, jump } = await start()
      for (let count = 0; count < 10; count++) await remaining(one)
      await jump(5)
      expectAbout(await remaining(other), 10 + 5 - 1)
      await jump(86_400)
      expect(await remaining(one)).toBe(19)
      expect(one.store.decisions.local + other.store.decisions.local).toBe(0)
    })

    test("back gives nothing and takes nothing, and makes no one wait for the old time", async () => {
      const { one, other, jump } = await start()
      await jump(86_400)
      for (let left = 19; left > 9; left--) expectAbout(await remaining(one), left)
      await jump(3_600)
      expectAbout(await remaining(other), 9)
      while ((await remaining(one)) >= 0);
      await jump(0)
      const refused = await other.take(bucket)
      expect(refused.kind === "exhausted" ? refused.retryAfter : 0).toBeLessThanOrEqual(1)
      for (const { advance } of [one, other]) advance(1_000)
      await jump(4) // the clock continues
      expectAbout(await remaining(other), 0)
      expect(one.store.decisions.local + other.store.decisions.local).toBe(0)
    })
  })
})
