// @module-tag system
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import { freePort } from "../../servers/ports.ts"
import { describeStores, startRedis, type TestRedis } from "../../servers/redis.ts"
import { notShared, openTestStore, shared } from "./open-store.ts"

vi.setConfig({ testTimeout: 60_000 })

const still = { capacity: 160, refillPerSecond: 1e-12 }

describeStores((name) => {
  async function start(...args: readonly string[]): Promise<TestRedis> {
    const redis = await startRedis(name, args)
    onTestFinished(() => redis.stop())
    return redis
  }

  test("a cluster, of which one node's address is known", async () => {
    const busPorts = [String(await freePort()), String(await freePort())]
    const cluster = (port = "") => ["--cluster-enabled", "yes", "--cluster-port", port]
    const first = await start(...cluster(busPorts[0]))
    const second = await start(...cluster(busPorts[1]))
    await first.command("CLUSTER", "ADDSLOTSRANGE", "0", "8191")
    await second.command("CLUSTER", "ADDSLOTSRANGE", "8192", "16383")
    await first.command("CLUSTER", "MEET", "127.0.0.1", String(second.port), busPorts[1] ?? "")
    for (const node of [first, second])
      while (!/cluster_state:ok[\s\S]*cluster_size:2/.test(String(await node.command("CLUSTER", "INFO"))))
        await sleep(20)
    const proxy = await openTestStore(first.url)
    const other = await openTestStore(second.url)
    for (let id = 0; id < 20; id++) {
      expect(await proxy.take(still, `key-${id}`)).toMatchObject({ kind: "allowed", remaining: 159 })
      expect(await other.take(still, `key-${id}`)).toMatchObject({ kind: "allowed", remaining: 158 })
    }
    expect(proxy.store.decisions).toMatchObject({ store: 20, local: 0 })
    for (const node of [first, second]) expect(Number(await node.command("DBSIZE"))).toBeGreaterThan(1)

    const away = proxy.next(notShared)
    second.child.kill("SIGKILL")
    for (let id = 0; id < 20; id++) expect((await proxy.take(still, `new-${id}`)).kind).toBe("allowed")
    expect((await away).fault).toMatch(/closed|ECONNRE|CLUSTERDOWN/i)
  })

  test("a Sentinel, which names the next master when one dies", async () => {
    const master = await start()
    const replica = await start(
      "--replicaof",
      "127.0.0.1",
      String(master.port),
      "--repl-diskless-sync-delay",
      "0",
    )
    while (!/master_link_status:up/.test(String(await replica.command("INFO", "replication"))))
      await sleep(20)
    const home = mkdtempSync(join(tmpdir(), "flagstone-sentinel-"))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const settings = join(home, "sentinel.conf")
    const watched = `sentinel monitor limits 127.0.0.1 ${master.port} 1
      sentinel down-after-milliseconds limits 500
      sentinel failover-timeout limits 2000\n`
    writeFileSync(settings, watched.replaceAll(/^ +/gm, ""))
    const sentinel = await startRedis(name, ["--sentinel"], undefined, settings)
    onTestFinished(() => sentinel.stop())
    while (!JSON.stringify(await sentinel.command("SENTINEL", "MASTERS")).includes('"num-slaves":"1"'))
      await sleep(20)

    const proxy = await openTestStore(sentinel.url)
    for (let count = 0; count < 40; count++) await proxy.take(still)
    while (Number(await replica.command("HGET", "flagstone:bucket:web", "tokens")) > 120) await sleep(20)
    const away = proxy.next(notShared)
    const back = proxy.next(shared)
    master.child.kill("SIGKILL")
    await away
    expect(proxy.take(still, "new")).toMatchObject({ kind: "allowed" })
    await back
    let left = 0
    while ((await proxy.take(still)).kind === "allowed") left++
    expect(left).toBeLessThanOrEqual(120)
    expect(left).toBeGreaterThanOrEqual(110)
    expect(await replica.command("ROLE")).toMatchObject({ 0: "master" })
  })
})
