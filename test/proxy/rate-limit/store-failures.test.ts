// @module-tag system
// @module-tag slow
import { connect, createServer } from "node:net"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { recordSecret } from "../../secrets/record.ts"
import { freePort } from "../../servers/ports.ts"
import { describeStores, startRedis, type TestRedis } from "../../servers/redis.ts"
import { notShared, openTestStore, openTestStores, shared, type TestStore } from "./open-store.ts"

const still = { capacity: 160, refillPerSecond: 1 / 86_400 }
vi.setConfig({ testTimeout: 60_000 })

/** A way to lose a store, and to restore it. */
interface Failure {
  readonly fault: RegExp
  /** Milliseconds that a request may wait; if every answer comes immediately, longer than any machine is busy. */
  readonly wait?: number
  lose(redis: TestRedis, name: string): Promise<unknown>
  regain(redis: TestRedis, name: string): Promise<unknown>
}

const failures: Readonly<Record<string, Failure>> = {
  "a replica (READONLY)": {
    fault: /^READONLY/,
    async lose(redis, name) {
      const next = await startRedis(name)
      onTestFinished(() => next.stop())
      await redis.command("REPLICAOF", "127.0.0.1", String(next.port))
    },
    regain: (redis) => redis.command("REPLICAOF", "NO", "ONE"),
  },
  "an ACL for other buckets (NOPERM)": {
    fault: /^(NOPERM|ERR).*(No permissions|can't access at least one|access a key|access one of the keys)/i,
    lose: (redis) => redis.command("ACL", "SETUSER", "default", "resetkeys", "~flagstone:bucket:"),
    async regain(redis) {
      const connections = async () =>
        Number(/total_connections_received:(\d+)/.exec(String(await redis.command("INFO", "stats")))?.[1])
      const before = await connections()
      // Each probe fails, and makes another one.
      await expect.poll(connections, { timeout: 10_000, interval: 20 }).toBeGreaterThanOrEqual(before + 2)
      await redis.command("ACL", "SETUSER", "default", "allkeys")
    },
  },
  "another program that breaks the connection": {
    fault: /closed|ECONNRESET|EPIPE/i,
    lose: (redis) => redis.command("CLIENT", "KILL", "TYPE", "normal"),
    regain: async () => undefined,
  },
  "a process that hangs": {
    fault: /^no response within 25 ms$/,
    wait: 25,
    lose: async ({ child }) => child.kill("SIGSTOP"),
    regain: async ({ child }) => child.kill("SIGCONT"),
  },
}

describeStores((name) => {
  let common: TestRedis
  beforeAll(async () => {
    common = await startRedis(name)
  })
  afterAll(() => common.stop())

  async function start(...args: readonly string[]): Promise<TestRedis> {
    const redis = await startRedis(name, args)
    onTestFinished(() => redis.stop())
    return redis
  }
  const said = ({ lines }: TestStore) => lines.map(({ msg }) => msg)

  test.each(Object.entries(failures))(
    "%s costs no request, is said once, and passes",
    async (_, { fault, wait = 10_000, lose, regain }) => {
      await common.command("FLUSHALL")
      const proxy = await openTestStore(common.url, { wait })
      proxy.lines.splice(0)
      expect((await proxy.take(still, "before")).kind).toBe("allowed")
      const away = proxy.next(notShared)
      await lose(common, name)
      expect(await proxy.take(still, "first")).toMatchObject({ kind: "allowed", limit: 160 })
      const { fault: found, store } = await away
      expect(found).toMatch(fault)
      expect(store).toBe(common.url)
      expect(proxy.store.fault()).toMatch(fault)
      for (const id of ["first", "before", "new"])
        expect(proxy.take(still, id)).toMatchObject({ kind: "allowed", limit: 160 }) // no promise
      const back = proxy.next(shared)
      await regain(common, name)
      await back
      expect(proxy.store.fault()).toBeUndefined()
      const local = proxy.store.decisions.local
      expect((await proxy.take(still, "after")).kind).toBe("allowed")
      expect(proxy.store.decisions.local).toBe(local)
      expect(said(proxy)).toEqual([notShared, shared])
    },
  )

  test("a store that is lost again and again is logged once a minute", async () => {
    const redis = await start()
    const proxy = await openTestStore(redis.url)
    proxy.lines.splice(0)
    const flapTo = (isDown: boolean) =>
      expect.poll(() => proxy.store.fault() !== undefined, { timeout: 10_000 }).toBe(isDown)
    const flap = async () => {
      await redis.command("CLIENT", "KILL", "TYPE", "normal")
      for (const isDown of [true, false]) await flapTo(isDown)
    }
    for (let count = 0; count < 2; count++) await flap()
    await redis.command("ACL", "SETUSER", "default", "-evalsha")
    const refused = async () =>
      Number(/evalsha:.*rejected_calls=(\d+)/.exec(String(await redis.command("INFO", "commandstats")))?.[1])
    await expect.poll(refused, { timeout: 10_000 }).toBeGreaterThanOrEqual(2) // it is still away at the next probe
    await redis.command("ACL", "SETUSER", "default", "+evalsha")
    await flapTo(false)
    proxy.advance(60_000)
    await flap()
    expect(proxy.lines).toMatchObject([
      { msg: notShared, times: 1 },
      { msg: shared },
      { msg: notShared, times: 3 },
      { msg: shared },
    ])
  })

  test("a proxy has one connection, however often it checked the store, and after an outage", async () => {
    const redis = await start()
    const { take, next } = await openTestStore(redis.url)
    const ours = async () => String(await redis.command("CLIENT", "LIST")).match(/ cmd=evalsha/g)?.length
    const all = async () => String(await redis.command("CLIENT", "LIST")).match(/^id=/gm)?.length
    const calls = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.command("INFO", "commandstats")))?.[1])
    const before = await calls()
    await expect.poll(calls, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 3)
    expect([await ours(), await all()]).toEqual([1, 2]) // and the operator's
    const [away, back] = [next(notShared), next(shared)]
    await redis.command("ACL", "SETUSER", "default", "-evalsha")
    await take(still)
    await away
    await redis.command("ACL", "SETUSER", "default", "+evalsha")
    await back
    await expect.poll(all, { timeout: 5_000 }).toBe(2)
  })

  test("a store that forgot its scripts is told again", async () => {
    const redis = await start()
    const proxy = await openTestStore(redis.url)
    await redis.command("SCRIPT", "FLUSH")
    expect((await proxy.take(still)).kind).toBe("allowed")
    expect(proxy.store.decisions).toEqual({ store: 1, refusal: 0, local: 0 })
  })

  test("a proxy starts without its store, and shares limits as soon as there is one", async () => {
    const port = await freePort()
    const proxy = await openTestStore(`redis://127.0.0.1:${port}`, { fault: /ECONNREFUSED/ })
    expect(proxy.lines).toMatchObject([
      { msg: notShared, level: 40, fault: expect.stringMatching("ECONNREFUSED") },
    ])
    expect(proxy.take(still)).toMatchObject({ kind: "allowed", remaining: 159 })
    const back = proxy.next(shared)
    const redis = await startRedis(name, [], { port })
    onTestFinished(() => redis.stop())
    await back
    expect(await proxy.take(still)).toMatchObject({ kind: "allowed", remaining: 159 })
  })

  test("while the store is down, each proxy admits its share of the limit, and nothing waits", async () => {
    const redis = await start()
    const proxies = await openTestStores(redis.url, 4, { wait: 25, proxies: 4 })
    redis.child.kill("SIGSTOP")
    let admitted = 0
    for (const { take } of proxies) {
      const begin = performance.now()
      let waited = 0
      for (;;) {
        const taken = take(still)
        if (taken instanceof Promise) waited++
        const allowance = await taken
        expect(allowance.limit).toBe(160)
        if (allowance.kind === "exhausted") break
        admitted++
      }
      // The first request may time out just before the call does, and in between the second one joins it.
      expect([1, 2]).toContain(waited)
      expect(performance.now() - begin).toBeGreaterThan(20)
    }
    expect(admitted).toBe(still.capacity)
    const back = Promise.all(proxies.map(({ next }) => next(shared)))
    redis.child.kill("SIGCONT")
    await back
  })

  test("neither an outage nor the next one brings a proxy a second bucket", async () => {
    const redis = await start()
    const { take, next, advance } = await openTestStore(redis.url)
    for (let count = 0; count < 40; count++) await take(still)
    for (const admitted of [120, 0]) {
      advance(60_000) // so that the outage is logged
      const [away, back] = [next(notShared), next(shared)]
      await redis.command("ACL", "SETUSER", "default", "-evalsha")
      expect((await take(still, "other")).kind).toBe("allowed")
      await away
      let count = 0
      while ((await take(still)).kind === "allowed") count++
      expect(count).toBe(admitted)
      await redis.command("ACL", "SETUSER", "default", "+evalsha")
      await back
    }
  })

  test("a store that is slower than requests wait is not used until it is faster", async () => {
    const redis = await start()
    let delay = 60
    const relay = createServer((client) => {
      const store = connect(redis.port, "127.0.0.1")
      for (const [from, to] of [
        [client, store],
        [store, client],
      ] as const)
        from
          .on("data", (chunk) => setTimeout(() => to.write(chunk), delay))
          .on("error", () => undefined)
          .on("close", () => to.destroy())
    })
    await new Promise<void>((done) => relay.listen(0, "127.0.0.1", done))
    onTestFinished(() => void relay.close())
    const { port } = relay.address() as { port: number }
    const proxy = await openTestStore(`redis://127.0.0.1:${port}`, {
      wait: 25,
      fault: /^no response within 13 ms$/,
    })
    expect(proxy.take(still)).toMatchObject({ kind: "allowed" })
    const back = proxy.next(shared)
    delay = 0
    await back
    expect(said(proxy)).toEqual([notShared, shared])
  })

  describe("addresses", () => {
    test("a Unix socket", async () => {
      const redis = await start()
      const proxy = await openTestStore(`unix://${redis.socket}?db=3`)
      await proxy.take(still)
      await redis.command("SELECT", "3")
      expect(await redis.command("EXISTS", "flagstone:bucket:web")).toBe(1)
    })

    test("a user and a password, which no one is shown", async () => {
      const password = `${"%40".repeat(4)}${crypto.randomUUID()}${crypto.randomUUID()}`
      recordSecret(password.slice(12))
      const redis = await start()
      await redis.command(
        "ACL",
        "SETUSER",
        "limits",
        "on",
        `>${decodeURIComponent(password)}`,
        "allkeys",
        "+@all",
      )
      const proxy = await openTestStore(`redis://limits:${password}@127.0.0.1:${redis.port}`)
      expect(proxy.store.address).toBe(redis.url)
      const away = proxy.next(notShared)
      await redis.command("ACL", "SETUSER", "limits", "resetpass", ">other")
      await redis.command("CLIENT", "KILL", "USER", "limits")
      await away
      const wrong = await openTestStore(`redis://limits:${password}@127.0.0.1:${redis.port}`, {
        fault: /^WRONGPASS/,
      })
      expect(JSON.stringify([proxy.lines, wrong.lines, wrong.store])).not.toContain(password.slice(12))
    })
  })
})
