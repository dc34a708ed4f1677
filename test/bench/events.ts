import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { Agent, get, type IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { buildFiles, flagEntry } from "../proxy/fixtures.ts"

// `npm run bench:events`: what listening costs and what it saves, with real proxies and real sockets on one machine. First one
// proxy: the memory of an idle stream, the CPU time of 5,000 of them, and what they cost concurrent requests.
// Then three proxies that read one folder, and 1,000 clients: from the moment when a publication is
// there to the moment when each client has the value, with events and with polling every 30 s, a fifth more or less. Allow
// 16,384 file descriptors.

const clients = 1_000
const idle = 5_000
const pollInterval = 30_000
const rounds = 5

const folder = mkdtempSync(join(tmpdir(), "flagstone-events-"))
const started: ChildProcess[] = []
const secret = createApiKey(randomBytes)
const keyFile = join(folder, "keys.yaml")
const bucket = "{capacity: 1000000000, refillPerSecond: 1000000000}"
writeFileSync(
  keyFile,
  `keys:\n  - {id: web, environment: production, digest: "sha256:${parseApiKey(secret)?.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: ${bucket}}\n`,
)

let published = 0
let publishedAt = 0
/** Writes a new revision of 100 flags, whose number is the value, into the folder: as in `publish`, the pointer moves last, atomically. */
function publish(): void {
  published++
  const flags = Array.from({ length: 100 }, (_, at) => flagEntry(`flag-${at + 100}`, 2, `value-${published}`))
  const files = buildFiles({ production: flags })
  const document = `production-${published}.json`
  writeFileSync(join(folder, document), files.get("production.json") ?? "")
  const manifest = files.get("manifest.json")?.replace("production.json", document) ?? ""
  writeFileSync(join(folder, "next"), manifest)
  renameSync(join(folder, "next"), join(folder, "manifest.json"))
  publishedAt = performance.now()
}

interface Proxy {
  readonly pid: number
  readonly url: string
}

async function startProxy(): Promise<Proxy> {
  const program = resolve(import.meta.dirname, "../../cli/flagstone.js")
  const args = ["serve", "--snapshots", folder, "--keys", keyFile, "--port", "0", "--trust-proxy", "1"]
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  started.push(child)
  for await (const line of createInterface(child.stdout)) {
    const { msg, url } = JSON.parse(line)
    if (msg === "proxy started") {
      child.stdout.resume()
      return { pid: child.pid ?? 0, url }
    }
  }
  throw new Error("a proxy ended")
}

const headersOf = (at: number) => ({
  authorization: `Bearer ${secret}`,
  "x-forwarded-for": `10.0.${at >> 8}.${at & 255}`,
})

/** Listens, and calls `onEvent` for each event. */
function listen({ url }: Proxy, at: number, onEvent: () => void): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    get(`${url}/v1/events`, { headers: headersOf(at), agent: false }, (answer) => {
      if (answer.statusCode !== 200) failed(new Error(`answered ${answer.statusCode}`))
      answer.on("data", (chunk: Buffer) => chunk.includes("data:") && onEvent()).on("error", () => undefined)
      answer.once("data", () => done(answer))
    }).once("error", failed)
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 500 })

/** The number of the revision that a client has then. */
async function ask({ url }: Proxy, at: number): Promise<number> {
  const answer = await new Promise<IncomingMessage>((done, failed) =>
    get(`${url}/v1/flags/flag-100`, { headers: headersOf(at), agent }, done).once("error", failed),
  )
  return Number(/"value-(\d+)"/.exec(await text(answer))?.[1])
}

async function inTurns<T>(count: number, width: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let at = 0; at < count; at += width)
    results.push(
      ...(await Promise.all(Array.from({ length: Math.min(width, count - at) }, (_, i) => work(at + i)))),
    )
  return results
}

/** Megabytes. */
const memoryOf = ({ pid }: Proxy) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** CPU milliseconds. */
function cpuOf({ pid }: Proxy): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? Number.NaN
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

/** What requests cost a proxy and how long they take. */
async function load(proxy: Proxy): Promise<string> {
  await inTurns(4_000, 16, () => ask(proxy, 0))
  const before = cpuOf(proxy)
  const times: number[] = []
  await inTurns(20_000, 16, async () => {
    const begin = performance.now()
    await ask(proxy, 0)
    times.push(performance.now() - begin)
  })
  const cost = ((cpuOf(proxy) - before) / 20).toFixed(0)
  return `${cost} µs of CPU each, median ${at(times, 0.5).toFixed(2)} ms, p99 ${at(times, 0.99).toFixed(2)} ms`
}

publish()
try {
  const one = await startProxy()
  console.log(`requests beside no streams:    ${await load(one)}`)
  const empty = memoryOf(one)
  const streams = await inTurns(idle, 100, (at) => listen(one, at, () => undefined))
  await sleep(5_000)
  console.log(`an idle stream: ${(((memoryOf(one) - empty) * 1024) / idle).toFixed(1)} KB`)
  const before = cpuOf(one)
  await sleep(20_000)
  console.log(`${idle} idle streams: ${((cpuOf(one) - before) / 200).toFixed(1)} % of a core`)
  console.log(`requests beside ${idle} streams: ${await load(one)}`)
  for (const stream of streams) stream.destroy()
  started[0]?.kill()

  const proxies = await Promise.all([1, 2, 3].map(startProxy))
  const proxyOf = (client: number) => proxies[client % 3] as Proxy
  /** One publication: how long each client waits for its value. */
  async function measure(seen: (told: (client: number) => void) => void): Promise<readonly number[]> {
    return new Promise((done) => {
      const waits = new Map<number, number>()
      seen((client) => {
        if (!waits.has(client)) waits.set(client, performance.now() - publishedAt)
        if (waits.size === clients) done([...waits.values()])
      })
      publish()
    })
  }
  const look = async (client: number, told: (client: number) => void) => {
    if ((await ask(proxyOf(client), client)) === published) told(client)
  }
  let told = (_: number): void => {}
  const listeners = await inTurns(clients, 100, (at) => listen(proxyOf(at), at, () => void look(at, told)))
  const heard: number[] = []
  for (let round = 0; round < rounds; round++) {
    await sleep(2_000 + 1_000 * Math.random())
    heard.push(
      ...(await measure((tell) => {
        told = tell
      })),
    )
  }
  for (const listener of listeners) listener.destroy()
  const timers = new Set<NodeJS.Timeout>()
  const polled = await measure((told) => {
    for (let client = 0; client < clients; client++) {
      const poll = async (delay: number): Promise<void> => {
        const timer = setTimeout(async () => {
          timers.delete(timer)
          await look(client, told)
          void poll(pollInterval * (0.8 + 0.4 * Math.random()))
        }, delay)
        timers.add(timer)
      }
      void poll(pollInterval * Math.random())
    }
  })
  for (const timer of timers) clearTimeout(timer)
  const row = (name: string, waits: readonly number[]) =>
    console.log(
      `${name}: median ${seconds(at(waits, 0.5))}, p99 ${seconds(at(waits, 0.99))}, last ${seconds(at(waits, 1))}`,
    )
  row(`from publish to the value, ${clients} clients of 3 proxies that listen, ${rounds} times`, heard)
  row("the same by polling every 30 s, once", polled)
} finally {
  for (const child of started) child.kill("SIGKILL")
  rmSync(folder, { recursive: true })
  agent.destroy()
}
process.exit()
