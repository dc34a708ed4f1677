// @module-tag system
// @module-tag slow
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk"
import { expect, onTestFinished, test, vi } from "vitest"
import type { RemoteOptions } from "../../../sdk/openfeature/provider.ts"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import type { World } from "../../../sdk/openfeature/world.ts"
import { runProcess } from "../../cli/processes.ts"
import { buildFiles, flagEntry, shop } from "../../proxy/fixtures.ts"
import { makeServedFolder, spawnProxy, startTestProxy } from "../../proxy/start-proxy.ts"
import { createRepository } from "../../repository.ts"
import { hasNginx, startNginxBefore } from "../../servers/nginx.ts"
import { freePort } from "../../servers/ports.ts"

// The provider for Node, on its own clock, learns of changes without polling.

const hour = 3_600_000
const clock = { now: Date.now, monotonicNow: () => performance.now(), random: Math.random }
let applications = 0

/** An application that would poll once an hour, and the events that it got. */
async function listen(options: RemoteOptions, world?: World) {
  const provider = new FlagstoneProvider({ pollInterval: hour, ...options }, world)
  const domain = `listener ${++applications}`
  const client = OpenFeature.getClient(domain)
  const told: { readonly flags: string; readonly at: number }[] = []
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
    told.push({ flags: String(details?.flagsChanged), at: performance.now() })
  })
  await OpenFeature.setProviderAndWait(domain, provider)
  onTestFinished(() => provider.onClose())
  return { told, client, provider }
}

const more = (name: string) => buildFiles({ production: [...shop, flagEntry(name)] })

/** How many clients listen, by the proxy's count. */
async function listeners(admin: (path: string) => Promise<{ readonly text: string }>, count: number) {
  await vi.waitFor(
    async () => expect((await admin("/metrics")).text).toMatch(`flagstone_event_streams ${count}\n`),
    10_000,
  )
}

test.each([
  ["Node's own way", {}],
  ["fetch", { fetch }],
])("ConfigurationChanged comes within a second of the swap, by %s", async (_, options) => {
  const { proxy, files, secret, admin } = await startTestProxy({ clock, adminPort: 0 })
  const { told, provider } = await listen({ url: proxy.url, apiKey: secret, ...options })
  await listeners(admin, 1)
  for (const [file, text] of more("zebra")) files.set(file, text)
  const swap = performance.now()
  await proxy.reload()
  await vi.waitFor(() => expect(told).toHaveLength(1), 5_000)
  expect(told[0]?.flags).toBe("zebra")
  expect((told[0]?.at ?? Infinity) - swap).toBeLessThan(1_000)
  await provider.onClose()
  await listeners(admin, 0)
})

test.skipIf(!hasNginx)("through nginx with its default buffering", async () => {
  const { proxy, files, secret, admin } = await startTestProxy({ clock, adminPort: 0 })
  const nginx = await startNginxBefore(proxy.url)
  onTestFinished(() => nginx.stop())
  const { told } = await listen({ url: nginx.url, apiKey: secret })
  await listeners(admin, 1)
  for (const [file, text] of more("zebra")) files.set(file, text)
  await proxy.reload()
  await vi.waitFor(() => expect(told).toHaveLength(1), 3_000)
})

test("a publication to a folder that the proxy reads", async () => {
  const { folder, write, commit } = createRepository()
  write("flags/project.yaml", "project: shop\nenvironments: [production]\n")
  const banner = (value: boolean) =>
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: ${value} }] } }\n`
  const publish = (value: boolean) => {
    write("flags/banner.yaml", banner(value))
    commit(Number(value))
    expect(runProcess(folder, ["build"])).toMatchObject({ status: 0 })
    expect(runProcess(folder, ["publish", "published"])).toMatchObject({ status: 0 })
  }
  publish(false)
  const { secret, keyFile } = makeServedFolder()
  const proxy = spawnProxy(join(folder, "published"), keyFile)
  const { client, told } = await listen({ url: await proxy.started(), apiKey: secret })
  await sleep(500) // by then it listens, or is told when it begins to
  publish(true)
  await vi.waitFor(() => expect(told.map(({ flags }) => flags)).toEqual(["banner"]), 5_000)
  expect(await client.getBooleanValue("banner", false)).toBe(true)
}, 60_000)

test("a proxy that is killed and started again, with new flags", async () => {
  const { folder, keyFile, secret } = makeServedFolder()
  const port = String(await freePort())
  const first = spawnProxy(folder, keyFile, ["--port", port])
  const { told } = await listen({ url: await first.started(), apiKey: secret, pollInterval: 2_000 })
  first.child.kill("SIGKILL")
  await first.exit
  for (const [file, text] of more("zebra")) writeFileSync(join(folder, file), text)
  await spawnProxy(folder, keyFile, ["--port", port]).started()
  await vi.waitFor(() => expect(told.map(({ flags }) => flags)).toEqual(["zebra"]), 10_000)
}, 30_000)

test("listening keeps no process alive", async () => {
  const { proxy, secret, admin } = await startTestProxy({ clock, adminPort: 0 })
  const folder = mkdtempSync(join(tmpdir(), "flagstone-alive-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const provider = resolve(import.meta.dirname, "../../../sdk/openfeature/provider.ts")
  const script = join(folder, "app.ts")
  writeFileSync(
    script,
    `import { FlagstoneProvider } from ${JSON.stringify(provider)}
     const provider = new FlagstoneProvider({ url: ${JSON.stringify(proxy.url)}, apiKey: ${JSON.stringify(secret)} })
     await provider.initialize()
     setTimeout(() => console.log("over"), 2_000)`,
  )
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  await listeners(admin, 1)
  await once(child.stdout, "data")
  const over = performance.now()
  expect(await once(child, "exit")).toEqual([0, null])
  expect(performance.now() - over).toBeLessThan(2_000)
}, 30_000)
