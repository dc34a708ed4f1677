import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { loadavg, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import type { Bucket } from "../../proxy/contract/bucket.ts"
import { freePort, untilListening } from "../servers/ports.ts"
import { type Contender, flagstone, installPeers, type Limiter, memory } from "./fleet-limiters.ts"
import { buildSnapshots, median } from "./snapshots.ts"

// `npm run bench:fleet [laws] [outage] [cpu] [hot] [peers]`: what the guarantees of shared limits are worth, with a real
// redis-server and real proxies as they are published. `cpu` needs wrk, `peers` an npm that can install. How far requests
// were let through beyond a limit is measured over every interval: the most that was admitted between any two requests,
// less capacity + refill × the time between them. The store counts a request at some moment between asking and answer, so the
// refill during the longest answer cannot be seen here. On a machine that is busy with other things, proxies consider the
// store down when it is not; `--wait 500ms` makes them wait longer.

const root = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "flagstone-fleet-"))
const started: ChildProcess[] = []
const redisPort = await freePort()
const patience = process.argv[process.argv.indexOf("--wait") + 1 || -1] ?? "25ms"

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  })
  started.push(child)
  return child
}

const redis = run("redis-server", ["--port", String(redisPort), "--save", "", "--loglevel", "warning"])
const redisCli = (...args: readonly string[]) =>
  execFileSync("redis-cli", ["-p", String(redisPort), ...args], { encoding: "utf8" })

/** How many scripts were called. */
function storeCalls(): number {
  const calls = redisCli("INFO", "commandstats").matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0)
}

interface Proxy {
  readonly pid: number
  readonly url: string
  /** How often it considered the store down. */
  readonly alarms: () => number
}

buildSnapshots(join(folder, "dist"), { project: "shop", flags: 4, environments: ["production"] })
const lines = ["keys:"]
function mint(id: string, { capacity, refillPerSecond }: Bucket): string {
  const secret = createApiKey(randomBytes)
  const digest = parseApiKey(secret)?.digest
  lines.push(
    `  - {id: ${id}, environment: production, digest: "sha256:${digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: {capacity: ${capacity}, refillPerSecond: ${refillPerSecond}}}`,
  )
  return `Bearer ${secret}`
}
const limit = { capacity: 200, refillPerSecond: 100 }
const limited = new Map([3, 8].map((count) => [count, mint(`limited-${count}`, limit)]))
const outage = mint("outage", limit)
const roomy = mint("roomy", { capacity: 1e9, refillPerSecond: 1e9 })
writeFileSync(join(folder, "keys.yaml"), `${lines.join("\n")}\n`)

async function startProxy(store: string | undefined, fleet = 1): Promise<Proxy> {
  const args = [
    "serve",
    "--snapshots",
    join(folder, "dist"),
    "--keys",
    join(folder, "keys.yaml"),
    "--port",
    "0",
    "--rate-limit-wait",
    patience,
    "--rate-limit-proxies",
    String(fleet),
  ]
  const child = run(process.execPath, [join(root, "build/cli/main.js"), ...args], {
    ...(store !== undefined && { FLAGSTONE_RATE_LIMIT_STORE: store }),
  })
  let alarms = 0
  const url = await new Promise<string>((done, failed) => {
    if (child.stdout !== null)
      createInterface(child.stdout).on("line", (line) => {
        const { msg, url } = JSON.parse(line)
        if (msg.startsWith("rate limits not shared")) alarms++
        if (msg === "proxy started") done(url)
      })
    child.once("exit", () => failed(new Error("a proxy ended")))
  })
  return { pid: child.pid ?? 0, url, alarms: () => alarms }
}

const startFleet = (count: number) =>
  Promise.all(Array.from({ length: count }, () => startProxy(`redis://127.0.0.1:${redisPort}`, count)))

/** A request: when it was answered, how, and how long that took, in milliseconds. */
interface Asked {
  readonly at: number
  readonly status: number
  readonly took: number
}

const agent = new Agent({ keepAlive: true })
function ask({ url }: Proxy, authorization: string): Promise<Asked> {
  const begin = performance.now()
  return new Promise((done) => {
    const end = (status: number) => done({ at: performance.now(), status, took: performance.now() - begin })
    get(`${url}/v1/flags/flag-00000`, { agent, headers: { authorization } }, (response) => {
      response.resume().once("end", () => end(response.statusCode ?? 0))
    }).once("error", () => end(0))
  })
}

/** Asks all proxies in turn, at this rate per second, for this many seconds. */
async function load(
  proxies: readonly Proxy[],
  authorization: string,
  rate: number,
  seconds: number,
): Promise<Asked[]> {
  const asked: Promise<Asked>[] = []
  const begin = performance.now()
  for (let at = 0; at < rate * seconds; ) {
    const due = Math.min(rate * seconds, ((performance.now() - begin) / 1000) * rate)
    for (; at < due; at++) asked.push(ask(proxies[at % proxies.length] as Proxy, authorization))
    await sleep(2)
  }
  return Promise.all(asked)
}

/** The most that was admitted between any two moments, in milliseconds, beyond what one bucket would admit. */
function excessOf(moments: readonly number[], { refillPerSecond, capacity }: Bucket): number {
  let [lowest, most] = [Number.POSITIVE_INFINITY, 0]
  for (const [count, moment] of moments.toSorted((a, b) => a - b).entries()) {
    const level = count - (moment / 1000) * refillPerSecond
    lowest = Math.min(lowest, level)
    most = Math.max(most, level + 1 - lowest - capacity)
  }
  return most
}

const admitted = (asked: readonly Asked[]) => asked.filter(({ status }) => status === 200).map(({ at }) => at)
const longest = (asked: readonly Asked[]) => Math.max(...asked.map(({ took }) => took))
const round = (value: number) => Math.round(value * 100) / 100

/** Three times as much demand as the limit. */
async function benchLaws(): Promise<void> {
  const rows: Record<string, unknown>[] = []
  for (const [count, authorization] of limited) {
    const proxies = await startFleet(count)
    const begin = performance.now()
    const asked = await load(proxies, authorization, 600, 5)
    const seconds = (performance.now() - begin) / 1000
    const moments = admitted(asked)
    const excess = excessOf(moments, limit)
    const unseen = (limit.refillPerSecond * (longest(asked) + 1)) / 1000
    rows.push({
      proxies: count,
      "admitted of one bucket's": round(moments.length / (limit.capacity + limit.refillPerSecond * seconds)),
      "excess over any t": round(excess),
      "of which unseen": round(unseen),
      met: excess <= unseen ? "yes" : "NO",
      "calls/s and proxy": round(storeCalls() / seconds / count),
      "false alarms": proxies.reduce((sum, { alarms }) => sum + alarms(), 0),
    })
    for (const { pid } of proxies) process.kill(pid, "SIGKILL")
    redisCli("CONFIG", "RESETSTAT")
  }
  console.table(rows)
}

/** The store hangs for two seconds. */
async function benchOutage(): Promise<void> {
  const proxies = await startFleet(3)
  const before = await load(proxies, outage, 600, 3)
  const during = load(proxies, outage, 600, 3)
  await sleep(500)
  const stoppedAt = performance.now()
  redis.kill("SIGSTOP")
  await sleep(2000)
  redis.kill("SIGCONT")
  const asked = await during
  await sleep(Math.max(0, stoppedAt + 4000 - performance.now())) // two seconds after it resumes
  const after = await load(proxies, outage, 600, 3)
  const moments = admitted([...before, ...asked])
  const seconds = 6
  const most = limit.capacity + limit.refillPerSecond * seconds
  const median99 =
    before.map(({ took }) => took).toSorted((a, b) => a - b)[Math.floor(before.length * 0.99)] ?? 0
  console.table([
    {
      "ms before: p99": round(median99),
      longest: round(longest(before)),
      "longest in the outage": round(longest(asked)),
      "waited over p99 + 25": asked.filter(({ took }) => took > median99 + 25).length,
      failed: asked.filter(({ status }) => status !== 200 && status !== 429).length,
      "sum / limit": round(moments.length / most),
      "at most": 2,
      "excess 2 s after, over any t": round(excessOf(admitted(after), limit)),
    },
  ])
  for (const { pid } of proxies) process.kill(pid, "SIGKILL")
}

/** The CPU time that a request takes with a store, over that with buckets in memory; interleaved rounds. */
async function benchCpu(): Promise<void> {
  const store = await startProxy(`redis://127.0.0.1:${redisPort}`)
  const plain = await startProxy(undefined)
  const etag = JSON.parse(readFileSync(join(folder, "dist/manifest.json"), "utf8")).environments.production
    .sha256
  const rows = []
  for (const [name, headers] of [
    ["200", []],
    ["304", [`-Hif-none-match: "${etag.slice(0, 32)}"`]],
  ] as const) {
    const costs = new Map([
      [store, [] as number[]],
      [plain, [] as number[]],
    ])
    for (const proxy of [store, plain]) await loadByWrk(proxy, headers)
    for (let count = 0; count < 7; count++)
      for (const [proxy, list] of costs) list.push(await loadByWrk(proxy, headers))
    const [shared, own] = [median(costs.get(store) ?? []), median(costs.get(plain) ?? [])]
    rows.push({
      answer: name,
      "µs/request": round(shared),
      "in memory": round(own),
      ratio: round(shared / own),
      "at most": 1.6,
    })
  }
  console.table(rows)
  for (const { pid } of [store, plain]) process.kill(pid, "SIGKILL")
}

/** Microseconds of CPU for a request, of a proxy that is always busy: one that waits for the store wakes for each request. */
async function loadByWrk({ pid, url }: Proxy, headers: readonly string[]): Promise<number> {
  const script = join(import.meta.dirname, "report.lua")
  const before = cpuSeconds(pid)
  const child = run("wrk", [
    "-t1",
    "-c128",
    "-d1s",
    "-s",
    script,
    `-Hauthorization: ${roomy}`,
    ...headers,
    `${url}/v1/flags`,
  ])
  const [, requests = "0"] = /REPORT (\d+)/.exec(child.stdout === null ? "" : await text(child.stdout)) ?? []
  return ((cpuSeconds(pid) - before) * 1e6) / Number(requests)
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Asks a limiter faster than any HTTP server on one core could. */
async function benchHot(): Promise<void> {
  const rows = []
  for (const bucket of [
    { capacity: 100_000, refillPerSecond: 60_000 },
    { capacity: 1_000, refillPerSecond: 60_000 },
    { capacity: 1_000, refillPerSecond: 100 },
  ]) {
    redisCli("FLUSHALL")
    const limiter = await flagstone.open(redisPort, bucket)
    const calls = storeCalls()
    const begin = performance.now()
    let asked = 0
    const waiting: (boolean | Promise<boolean>)[] = []
    for (let seconds = 0; seconds < 3; seconds = (performance.now() - begin) / 1000) {
      for (; asked < seconds * 50_000; asked++) waiting.push(limiter.take())
      await sleep(1)
    }
    const got = (await Promise.all(waiting)).filter(Boolean).length
    const seconds = (performance.now() - begin) / 1000
    rows.push({
      bucket: `${bucket.capacity}/${bucket.refillPerSecond}`,
      "requests/s": Math.round(asked / seconds),
      "store calls/s": round((storeCalls() - calls) / seconds),
      "at most": 1000,
      "waited for it": `${round((100 * waiting.filter((one) => one instanceof Promise).length) / asked)} %`,
      "admitted of one bucket's": round(
        got / Math.min(asked, bucket.capacity + bucket.refillPerSecond * seconds),
      ),
    })
    await limiter.close()
  }
  console.table(rows)
}

/** Decisions in one process: their CPU, their calls, what three together admit, and what an outage does to them. */
async function benchPeers(): Promise<void> {
  const peers = join(folder, "peers")
  mkdirSync(peers)
  const rows = []
  for (const contender of [memory, flagstone, ...installPeers(peers)]) rows.push(await measure(contender))
  console.table(rows)
}

async function measure({ name, open }: Contender): Promise<Record<string, unknown>> {
  redisCli("FLUSHALL")
  const warm = await open(redisPort, { capacity: 10_000_000, refillPerSecond: 10_000_000 })
  const decide = async (milliseconds: number) => {
    let decisions = 0
    const end = performance.now() + milliseconds
    const client = async () => {
      while (performance.now() < end) for (let count = 0; count < 20; count++, decisions++) await warm.take()
    }
    await Promise.all(Array.from({ length: 32 }, client))
    return decisions
  }
  await decide(500)
  const [calls, cpu] = [storeCalls(), process.cpuUsage()]
  const decisions = await decide(1500)
  const { user, system } = process.cpuUsage(cpu)
  const made = storeCalls() - calls
  await warm.close()

  redisCli("FLUSHALL")
  const bucket = { capacity: 100, refillPerSecond: 50 }
  const three = await Promise.all([1, 2, 3].map(() => open(redisPort, bucket)))
  const moments = await pace(three, 300, 4, ({ got, at }) => (got ? at : undefined))
  const stopped = sleep(300).then(() => redis.kill("SIGSTOP"))
  const goesOn = sleep(1800).then(() => redis.kill("SIGCONT"))
  let failed = 0
  const waits = await pace(three, 300, 2, ({ got, took }) => {
    if (got === undefined) failed++
    return took
  })
  await Promise.all([stopped, goesOn])
  for (const limiter of three) await limiter.close()
  return {
    limiter: name,
    "CPU µs/decision": round((user + system) / decisions),
    "calls/decision": Math.round((made / decisions) * 10_000) / 10_000,
    "excess of three": round(excessOf(moments, bucket)),
    "store stopped: longest wait, ms": Math.round(Math.max(...waits)),
    failed,
  }
}

/** Asks limiters in turn, at this rate per second, and collects what `read` returns for each answer. */
async function pace(
  limiters: readonly Limiter[],
  rate: number,
  seconds: number,
  read: (answer: { got: boolean | undefined; at: number; took: number }) => number | undefined,
): Promise<number[]> {
  const begin = performance.now()
  const found: Promise<number | undefined>[] = []
  const askOne = async (limiter: Limiter | undefined) => {
    const asked = performance.now()
    const got = await Promise.resolve(limiter?.take()).catch(() => undefined)
    return read({ got, at: performance.now(), took: performance.now() - asked })
  }
  for (let at = 0; at < rate * seconds; ) {
    const due = Math.min(rate * seconds, ((performance.now() - begin) / 1000) * rate)
    for (; at < due; at++) found.push(askOne(limiters[at % limiters.length]))
    await sleep(2)
  }
  return (await Promise.all(found)).filter((value) => value !== undefined)
}

const parts = new Map([
  ["laws", benchLaws],
  ["outage", benchOutage],
  ["cpu", benchCpu],
  ["hot", benchHot],
  ["peers", benchPeers],
])

try {
  await untilListening(redisPort)
  if (!existsSync(join(root, "build/cli/main.js"))) throw new Error("run `tsc` first")
  console.log(
    `Node ${process.version}, ${redisCli("INFO", "server")
      .match(/redis_version:.*/)?.[0]
      .trim()}`,
  )
  const wanted = process.argv.filter((name) => parts.has(name))
  for (const name of wanted.length > 0 ? wanted : parts.keys()) {
    await parts.get(name)?.()
    console.log(`${name}: load average ${loadavg().map(round).join(" ")}\n`)
  }
} finally {
  for (const child of started) child.kill("SIGKILL")
  rmSync(folder, { recursive: true })
}
