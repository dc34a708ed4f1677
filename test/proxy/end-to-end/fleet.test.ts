// @module-tag system
// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { startProcess } from "../../cli/processes.ts"
import { describeStores, startRedis } from "../../servers/redis.ts"
import { buildFiles, mintKey, shop } from "../fixtures.ts"

// Real processes, started as an operator starts them, that share a key's bucket.

vi.setConfig({ testTimeout: 60_000 })

const capacity = 160

/** A folder with snapshots and a key whose bucket refills within days, and a way to start proxies of it. */
function makeFleet(store: string) {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-fleet-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { secret, record } = mintKey()
  for (const [file, text] of buildFiles({ production: shop })) writeFileSync(join(folder, file), text)
  writeFileSync(
    join(folder, "keys.yaml"),
    `keys:\n  - {id: web, environment: production, digest: "sha256:${record.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: {capacity: ${capacity}, refillPerSecond: 0.0001}}\n`,
  )
  return async () => {
    const args = ["serve", "--snapshots", ".", "--port", "0", "--rate-limit-wait", "500ms"]
    const proxy = startProcess(folder, args, { FLAGSTONE_RATE_LIMIT_STORE: store })
    const { url } = JSON.parse(await proxy.line(/"proxy started"/))
    return {
      ...proxy,
      /** Asks this many times, or until it is refused; returns how often it was answered. */
      async drain(most = Number.POSITIVE_INFINITY): Promise<number> {
        for (let count = 0; count < most; count++) {
          const response = await fetch(`${url}/v1/flags/dark.mode`, {
            headers: { authorization: `Bearer ${secret}` },
          })
          await response.arrayBuffer()
          if (response.status === 429) return count
          expect(response.status).toBe(200)
        }
        return most
      },
    }
  }
}

describeStores((name) => {
  test("a killed proxy loses nothing, and neither does a stopped one", async () => {
    const redis = await startRedis(name)
    onTestFinished(() => redis.stop())
    const start = makeFleet(redis.url)
    const [killed, stopped, other] = await Promise.all([start(), start(), start()])
    await Promise.all([killed.drain(40), stopped.drain(40)])
    killed.child.kill("SIGKILL")
    stopped.child.kill("SIGTERM")
    expect(await stopped.exited).toBe(0)
    expect(await other.drain()).toBe(capacity - 80)
    for (const { out } of [killed, stopped, other]) expect(out()).not.toMatch("not shared")
  })
})
