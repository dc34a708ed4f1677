// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { expect, test, vi } from "vitest"
import { buildSnapshots } from "../../bench/snapshots.ts"
import { buildFiles, shop } from "../fixtures.ts"
import { startOrigin } from "../origin.ts"
import { makeServedFolder, type SpawnedProxy, spawnProxy } from "../start-proxy.ts"

// Reloads of a real process. The thread that prepares has a low priority: if no core is idle, it takes long, and so does
// freeing its memory.

vi.setConfig({ testTimeout: 180_000 })

interface Served extends SpawnedProxy {
  /** Asks with the key. */
  get(path: string): Promise<Response>
  /** Writes other documents. */
  change(salt: string): void
}

async function serve(flags: number, pollInterval: string): Promise<Served> {
  const { folder, secret, keyFile } = makeServedFolder(new Map())
  const environments = ["production", "staging", "development"]
  const change = (salt: string): void =>
    buildSnapshots(folder, { project: "shop", flags, environments, salt })
  change("first")
  const asDeployed = ["env", "NODE_OPTIONS=--max-semi-space-size=4"]
  const spawned = spawnProxy(folder, keyFile, ["--poll-interval", pollInterval], asDeployed)
  const url = await spawned.started()
  const get = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${secret}` } })
  return { ...spawned, change, get }
}

const isLinux = process.platform === "linux"
if (!isLinux) console.warn("SKIPPED: memory and file descriptors of a process, because this is not Linux")

test.runIf(isLinux)(
  "10,000 flags in 3 environments take less than 250 MB, however often they are reloaded",
  async () => {
    const { child, said, change, memory } = await serve(10_000, "0s")
    const isSmall = () => expect.poll(memory, { timeout: 60_000 }).toBeLessThan(250)
    await isSmall()
    for (let round = 1; round <= 6; round++) {
      change(`round ${round}`)
      child.kill("SIGHUP")
      await said("snapshots reloaded", round)
      await isSmall()
    }
  },
)

test("requests are answered while documents are prepared, each from one set", async () => {
  const { child, said, change, get } = await serve(10_000, "0s")
  const listBefore = await (await get("/v1/flags")).text()
  change("second")
  let isReloaded = false
  child.kill("SIGHUP")
  const reloaded = said("snapshots reloaded").finally(() => {
    isReloaded = true
  })
  let answers = 0
  while (!isReloaded) {
    const response = await get("/v1/flags/flag-00001")
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    answers++
  }
  await reloaded
  expect(answers).toBeGreaterThan(100) // a thread that is blocked by a document answers only a few
  const list = await (await get("/v1/flags")).text()
  expect(list).not.toBe(listBefore)
  expect(list).toBe(listBefore.replaceAll("first", "second"))
})

test("SIGHUP while the first set is read causes one more load after it, and ends nothing", async () => {
  const origin = await startOrigin()
  for (const [file, text] of buildFiles({ production: shop })) origin.files.set(file, text)
  const { child, said } = spawnProxy(origin.base.href, makeServedFolder().keyFile, ["--poll-interval", "0s"])
  origin.answer = (_req, res) => {
    origin.answer = undefined
    child.kill("SIGHUP")
    res.end(origin.files.get("manifest.json"))
  }
  await said("proxy started")
  await said("snapshots reloaded")
  await origin.stop()
})

test("a stop while documents are prepared exits with 0, and the reload is complete or did not happen", async () => {
  const { child, said, change, log } = await serve(10_000, "0s")
  change("second")
  child.kill("SIGHUP")
  child.kill("SIGTERM")
  const [status] = await once(child, "exit")
  expect(status).toBe(0)
  await said("proxy stopped")
  expect(log()).not.toMatch(/"level":"(warn|error|fatal)"/)
})

test.runIf(isLinux)(
  "a set that no file descriptor was left for is read as soon as there is one, and logged once",
  async () => {
    const { child, said, change, log } = await serve(4, "50ms")
    const limitFiles = (count: number) =>
      execFileSync("prlimit", ["--pid", `${child.pid}`, `--nofile=${count}:4096`])
    limitFiles(1)
    change("second")
    await said("(EMFILE)")
    limitFiles(4096)
    await said("snapshots reloaded")
    expect(log().split("snapshots refused").length).toBe(2)
  },
)

test.runIf(isLinux)(
  "a set for which no thread could be had is prepared as soon as there is one",
  async () => {
    const { child, said, change, get, log } = await serve(400, "50ms")
    const limitFiles = (count: number) =>
      execFileSync("prlimit", ["--pid", `${child.pid}`, `--nofile=${count}:4096`])
    const used = new Set(readdirSync(`/proc/${child.pid}/fd`).map(Number))
    let free = 0
    while (used.has(free)) free++
    limitFiles(free + 2) // to read with, not to start a thread
    change("second")
    await said("could not be prepared")
    limitFiles(4096)
    await said("snapshots reloaded")
    // A poll during the writing may have reloaded a part before.
    await expect
      .poll(async () => (await get("/v1/flags/flag-00001")).text(), { timeout: 60_000 })
      .toContain("second")
    expect(log()).not.toMatch("good again")
  },
)
