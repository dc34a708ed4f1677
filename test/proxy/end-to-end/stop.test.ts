// @module-tag system
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { expect, onTestFinished, test, vi } from "vitest"
import { buildFiles, flagEntry, shop } from "../fixtures.ts"
import { startOrigin } from "../origin.ts"
import { makeServedFolder, spawnProxy } from "../start-proxy.ts"

// How a real process ends.

vi.setConfig({ testTimeout: 60_000 })

test("an answer of 20 MB that is in flight at SIGTERM reaches a client of 5 MB/s completely", {
  tags: ["slow"],
}, async () => {
  const large = { description: "x".repeat(100_000) }
  const flags = Array.from({ length: 200 }, (_, at) => {
    const entry = flagEntry(`flag-${at + 1000}`)
    return { ...entry, flag: { ...entry.flag, ...large } }
  })
  const files = buildFiles({ production: flags })
  const { folder, keyFile, secret } = makeServedFolder(files)
  const { started, stop } = spawnProxy(folder, keyFile)
  const url = await started()
  const headers = { authorization: `Bearer ${secret}`, "accept-encoding": "identity" }
  let stopped: ReturnType<typeof stop> | undefined
  const length = await new Promise<number>((done, failed) => {
    const asked = request(`${url}/v1/flags`, { headers }, (answer) => {
      let length = 0
      stopped = stop()
      answer.on("data", (chunk: Buffer) => {
        length += chunk.length
        answer.pause()
        setTimeout(() => answer.resume(), chunk.length / 5_000)
      })
      answer.once("end", () => done(length))
      answer.once("error", failed)
    })
    asked.once("error", failed)
    asked.end()
  })
  expect(length).toBe(Buffer.byteLength(files.get("production.json") ?? ""))
  expect((await stopped)?.ended).toBe(0)
})

test("a client that reads nothing is cut off 10 s after the drain delay, and the process ends", {
  tags: ["slow"],
}, async () => {
  const flag = flagEntry("large")
  const large = { ...flag, flag: { ...flag.flag, description: "x".repeat(20_000_000) } }
  const { folder, keyFile, secret } = makeServedFolder(buildFiles({ production: [large] }))
  const { started, stop } = spawnProxy(folder, keyFile, ["--drain-delay", "500ms"])
  const headers = { authorization: `Bearer ${secret}`, "accept-encoding": "identity" }
  const url = await started()
  const answer = await new Promise<IncomingMessage>((done) => {
    request(`${url}/v1/flags`, { headers }, done).end()
  })
  answer.on("error", () => undefined)
  const { ended, after } = await stop()
  expect(ended).toBe(0)
  expect(after).toBeGreaterThan(10_400)
  expect(after).toBeLessThan(11_500)
})

test.each([
  [[], /^\{"level":"info","time":"\d{4}-\d\d-\d\dT[\d:.]+Z",/],
  [["--log-numbers"], /^\{"level":30,"time":\d{13},/],
])("a line of the log begins as it can be read, or as pino writes it: %j", async (args, line) => {
  const { folder, keyFile } = makeServedFolder()
  const { started, stop, log } = spawnProxy(folder, keyFile, args)
  await started()
  await stop()
  for (const said of log().trim().split("\n")) expect(said).toMatch(line)
})

test.each(["hangs", "drips"])(
  "a stop does not wait for an origin that %s, nor for queued reloads",
  async (how) => {
    const origin = await startOrigin()
    onTestFinished(() => origin.stop())
    for (const [file, text] of buildFiles({ production: shop })) origin.files.set(file, text)
    const { keyFile } = makeServedFolder()
    const { child, started, stop } = spawnProxy(origin.base.href, keyFile, ["--poll-interval", "50ms"])
    await started()
    await new Promise<void>((asked) => {
      origin.answer = (_, res) => {
        if (how === "drips") res.writeHead(200).write("{")
        asked()
      }
    })
    for (let count = 0; count < 3; count++) child.kill("SIGHUP")
    const { ended, after } = await stop()
    expect(ended).toBe(0)
    expect(after).toBeLessThan(2_000)
  },
)

test("SIGTERM during the start ends the process with 0, not by its default action", async () => {
  const origin = await startOrigin()
  onTestFinished(() => origin.stop())
  const asked = new Promise<void>((done) => {
    origin.answer = () => done()
  })
  const { keyFile } = makeServedFolder()
  const { stop } = spawnProxy(origin.base.href, keyFile)
  await asked
  const { ended, after } = await stop()
  expect(ended).toBe(0)
  expect(after).toBeLessThan(2_000)
})

// A separate namespace has its own process 1, even for an ordinary user.
const processOne = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
const canBeOne = spawnSync(processOne[0] ?? "", [...processOne.slice(1), "true"]).status === 0
if (!canBeOne) console.warn("SKIPPED: signals to process 1, because this machine does not allow namespaces")

test.runIf(canBeOne).each([
  ["the start of serve", [], 0],
  ["serve --check", ["--check"], 143],
])("process 1, which has no default action, ends at SIGTERM during %s", async (_, args, status) => {
  const origin = await startOrigin()
  onTestFinished(() => origin.stop())
  const asked = new Promise<void>((done) => {
    origin.answer = () => done()
  })
  const { keyFile } = makeServedFolder()
  const { child, exit } = spawnProxy(origin.base.href, keyFile, args, processOne)
  await asked
  const inner = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")
  process.kill(Number(inner), "SIGTERM")
  expect(await exit).toEqual([status, null])
})

test.runIf(process.platform === "linux")(
  "a log reader that stalls costs a few megabytes and counted lines, and holds up no stop",
  { tags: ["slow"] },
  async () => {
    const { folder, keyFile, secret } = makeServedFolder()
    const { child, started, stop, log, memory } = spawnProxy(folder, keyFile, [
      "--access-log",
      "--admin-port",
      "0",
    ])
    const url = await started()
    const adminPort = /"adminPort":(\d+)/.exec(log())?.[1]
    const dropped = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
      return Number(/^flagstone_log_lines_dropped_total (\d+)/m.exec(metrics)?.[1])
    }
    child.stdout?.pause()
    const headers = { authorization: `Bearer ${secret}` }
    const ask = async (count: number) => {
      for (let at = 0; at < count; at++)
        await (await fetch(`${url}/v1/flags/a%2Fb`, { headers })).arrayBuffer()
    }
    while ((await dropped()) === 0) await Promise.all(Array.from({ length: 10 }, () => ask(100)))
    const before = memory()
    await Promise.all(Array.from({ length: 10 }, () => ask(500)))
    expect(await dropped()).toBeGreaterThan(5_000)
    expect(memory() - before).toBeLessThan(30)
    const { ended, after } = await stop()
    expect(ended).toBe(0)
    expect(after).toBeLessThan(2_000)
  },
)
