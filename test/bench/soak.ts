import { type ChildProcess, spawn } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { Agent, createServer, request } from "node:http"
import { loadavg, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { evaluatePath, eventsPath } from "../../proxy/contract/http.ts"
import { freePort, untilListening } from "../servers/ports.ts"
import { option } from "./servers.ts"
import { median } from "./snapshots.ts"
import { type Held, holdOpen, type Listener, listen } from "./soak-listeners.ts"

// `npm run bench:soak [-- --minutes 60 --rate 2000]`: a small fleet under realistic conditions, for a long time. Three proxies with shared
// limits read snapshots and keys from an origin that fails one request in ten. Every 10 s a revision is published; every minute a
// key is created and another revoked; the store hangs for 5 s each minute and is killed every third. Clients send every kind of
// request, and 20 servers and 20 pages listen to each proxy. Checked at the end: no answer that the documents do not promise, no more
// of a limit than they promise, memory level after a sixth of the time, no descriptor left over, every revision seen by every proxy,
// in order, and told to everyone who listens. Needs redis-server.

const minutes = Number(option("minutes") ?? 60)
const rate = Number(option("rate") ?? 2_000)
const over = AbortSignal.timeout(minutes * 60_000)
const isOver = () => over.aborted
const listenersOfKind = 20

const root = resolve(import.meta.dirname, "../..")
const main = join(root, "build/cli/main.js")
const folder = mkdtempSync(join(tmpdir(), "flagstone-soak-"))
const flags = join(folder, "flags")
const served = join(folder, "served")
const started = new Set<ChildProcess>()
const faults: string[] = []

function start(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  started.add(child)
  child.once("exit", () => started.delete(child))
  return child
}

/** Runs a command to its end, and returns its output. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const child = start(command, args)
  const [status, out, err] = await Promise.all([
    new Promise((done) => child.once("exit", done)),
    child.stdout === null ? "" : text(child.stdout),
    child.stderr === null ? "" : text(child.stderr),
  ])
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${err}`)
  return out.trim()
}

const flagstone = (...args: readonly string[]) => run(process.execPath, main, ...args)

// --- What is published -----------------------------------------------------------------------------------------------

const revisionOf = (number: number) => `r${number}`
let published = 0

async function publish(): Promise<void> {
  const next = published + 1
  writeFileSync(
    join(flags, "revision.yaml"),
    `type: string\ndefaultValue: ${revisionOf(next)}\nenvironments:\n  production: {enabled: true, rules: [{attribute: plan, operator: equals, value: pro, returnValue: ${revisionOf(next)}}]}\n`,
  )
  await run("git", "add", "-A")
  await run(
    "git",
    "-c",
    "user.name=Soak",
    "-c",
    "user.email=soak@example.com",
    "commit",
    "-qm",
    revisionOf(next),
  )
  await flagstone("build")
  await flagstone("publish", "served", "--snapshots", "dist", "--keys", "keys.yaml")
  published = next
}

const createKey = (id: string, limit = "1000000000/1000000000") =>
  flagstone("keys", "create", "production", "--id", id, "--rate-limit", limit)

/** Serves what was published, and fails one request in ten. */
async function startOrigin(): Promise<string> {
  let count = 0
  const server = createServer((req, res) => {
    count++
    if (count % 20 === 0) {
      req.destroy()
      return
    }
    if (count % 10 === 0) {
      res.writeHead(503).end()
      return
    }
    try {
      const body = readFileSync(join(served, new URL(req.url ?? "/", "http://origin").pathname))
      res.end(body)
    } catch {
      res.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  server.unref()
  const { port } = server.address() as { port: number }
  return `http://127.0.0.1:${port}/`
}

// --- The fleet -------------------------------------------------------------------------------------------------------

/** Milliseconds in which a proxy did not share its limits. */
interface Outage {
  readonly from: number
  until: number
}

interface Proxy {
  readonly pid: number
  readonly url: string
  /** The revisions that it served, and since when. */
  readonly seen: { readonly number: number; readonly at: number }[]
  readonly listeners: Listener[]
  readonly outages: Outage[]
  readonly memory: number[]
  descriptors: readonly string[]
}

async function startProxy(origin: string, store: string): Promise<Proxy> {
  const child = start(process.execPath, [
    "--max-semi-space-size=4", // as in proxy/deploy: otherwise the nursery alone grows by 100 MB in an hour
    ...[main, "serve", "--snapshots", origin, "--keys", `${origin}keys.yaml`, "--port", "0", "--ofrep"],
    ...["--poll-interval", "1s", "--cache-dir", join(folder, "cache"), "--rate-limit-store", store],
    ...["--rate-limit-proxies", "3", "--evaluate-rate-limit", "1000000000/1000000000", "--admin-port", "0"],
  ])
  const outages: Outage[] = []
  const url = await new Promise<string>((done, failed) => {
    if (child.stdout !== null)
      createInterface(child.stdout).on("line", (line) => {
        const { level, msg, url } = JSON.parse(line)
        const last = outages.at(-1)
        if (msg.startsWith("rate limits not shared"))
          outages.push({ from: performance.now(), until: Number.POSITIVE_INFINITY })
        if (msg === "rate limits shared" && last !== undefined) last.until = performance.now()
        if (level >= 50 && !/refused; the last good ones stay$/.test(msg)) faults.push(`logged: ${line}`)
        if (msg === "proxy started") done(url)
      })
    child.once("exit", (status, signal) => {
      if (!isOver()) faults.push(`a proxy ended: ${status ?? signal}`)
      failed(new Error("a proxy ended"))
    })
  })
  return { pid: child.pid ?? 0, url, seen: [], listeners: [], outages, memory: [], descriptors: [] }
}

/** What each is, such as `socket`. */
const descriptorsOf = ({ pid }: Proxy) =>
  readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).replace(/:?\[\d+\]$/, "")
    } catch {
      return "just closed"
    }
  })
const leftOf = (proxy: Proxy) => descriptorsOf(proxy).length - proxy.descriptors.length
const hasMore = (proxy: Proxy) => leftOf(proxy) > 5
const memoryOf = ({ pid }: Proxy) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

// --- The clients -----------------------------------------------------------------------------------------------------

interface Asked {
  readonly method?: string
  readonly path: string
  readonly secret: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
  readonly took: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 40 })

/** Status 0: there was no answer. */
function ask({ url }: Proxy, { method = "GET", path, secret, headers, body }: Asked): Promise<Answered> {
  const begin = performance.now()
  return new Promise((done) => {
    const finish = (status: number, got: Answered["headers"], bytes: string) =>
      done({ status, headers: got, body: bytes, took: performance.now() - begin })
    const sent = request(
      `${url}${path}`,
      { agent, method, headers: { authorization: `Bearer ${secret}`, ...headers } },
      async (response) =>
        finish(response.statusCode ?? 0, response.headers, await text(response).catch(() => "")),
    )
    sent.once("error", (error) => finish(0, {}, error.message)).end(body)
  })
}

/** What clients request, how many in a hundred, and the allowed answers. */
interface Kind extends Asked {
  readonly name: string
  readonly share: number
  readonly allowed: readonly number[]
}

function kindsOf(web: string, tight: string): readonly Kind[] {
  const evaluation = {
    method: "POST",
    secret: web,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ context: { targetingKey: "customer-4711", plan: "pro" } }),
  }
  return [
    { name: "all flags", share: 15, path: "/v1/flags", secret: web, allowed: [200] },
    { name: "one flag", share: 25, path: "/v1/flags/revision", secret: web, allowed: [200] },
    { name: "no such flag", share: 5, path: "/v1/flags/nowhere", secret: web, allowed: [404] },
    { name: "HEAD", share: 5, method: "HEAD", path: "/v1/flags", secret: web, allowed: [200] },
    { name: "an unknown key", share: 5, path: "/v1/flags", secret: "guess", allowed: [401, 429] },
    { name: "a tight key", share: 20, path: "/v1/flags/revision", secret: tight, allowed: [200, 429] },
    { name: "OFREP, one flag", share: 15, path: `${evaluatePath}/revision`, ...evaluation, allowed: [200] },
    { name: "OFREP, all flags", share: 9, path: evaluatePath, ...evaluation, allowed: [200] },
    { name: "ready", share: 1, path: "/readyz", secret: "", allowed: [200] },
  ]
}

const answers = new Map<string, Map<number, number>>()
const waits: number[] = []
const tightAdmitted: number[] = []

function note(kind: Pick<Kind, "name" | "allowed">, { status, body, took }: Answered): void {
  const counts = answers.get(kind.name) ?? new Map<number, number>()
  answers.set(kind.name, counts.set(status, (counts.get(status) ?? 0) + 1))
  waits.push(took)
  if (kind.name === "a tight key" && status === 200) tightAdmitted.push(performance.now())
  if (!kind.allowed.includes(status) && faults.length < 100)
    faults.push(`${kind.name}: ${status} ${body.slice(0, 80)}`)
}

const revisionIn = (body: string) => Number(/"r(\d+)"/.exec(body)?.[1])

/** Makes this many servers and pages listen to a proxy. */
function startListeners(proxy: Proxy, kinds: readonly Kind[]): void {
  const [document, page] = ["all flags", "OFREP, all flags"].map((wanted) =>
    kinds.find(({ name }) => name === wanted),
  ) as [Kind, Kind]
  const look = (kind: Kind) => async (held?: Held) => {
    const headers = { ...kind.headers, ...(held && { "if-none-match": held.etag }) }
    const answered = await ask(proxy, { ...kind, headers })
    note({ name: `${kind.name}, when told`, allowed: [200, 304] }, answered)
    if (answered.status !== 200) return held
    const etag = String(answered.headers.etag)
    const { eventStreams } = JSON.parse(answered.body)
    const address: string = eventStreams?.[0].endpoint.requestUri ?? eventsPath
    const tag = /seen=(\w+)/.exec(address)?.[1] ?? etag.slice(1, 33)
    return { revision: revisionIn(answered.body), etag, tag, address }
  }
  for (const [kind, name] of [
    [document, "servers"],
    [page, "pages"],
  ] as const)
    for (let count = 0; count < listenersOfKind; count++)
      proxy.listeners.push(
        listen({
          name,
          url: proxy.url,
          headers: kind === document ? { authorization: `Bearer ${kind.secret}` } : {},
          look: look(kind),
          onOpened: (status, took) =>
            note({ name: `${name} listen`, allowed: [200] }, { status, headers: {}, body: "", took }),
          onFault: (fault) => faults.push(fault),
          over,
          lifetime: kind === document ? [4, 6] : [16 * 60, 24 * 60],
        }),
      )
}

/** How many milliseconds after a revision was served each listener had it; `missed`: listeners that never had it. */
function toldOf({ seen }: Proxy, listener: Listener): { waits: number[]; missed: number[] } {
  const waits: number[] = []
  const missed: number[] = []
  for (const [position, { number, at }] of seen.entries()) {
    const until = seen[position + 1]?.at ?? performance.now()
    const had = listener.had.get(number)
    if (had !== undefined) waits.push(Math.max(0, had - at))
    // It is told within 2 s, and asks; on a busy machine, later.
    else if (
      listener.streams.some(
        (stream) => Math.min(stream.until, until) - Math.max(stream.from, at) > longestTelling,
      )
    )
      missed.push(number)
  }
  return { waits, missed }
}

/** Milliseconds. */
const longestTelling = 5_000

async function load(proxies: readonly Proxy[], kinds: readonly Kind[]): Promise<void> {
  const hundred = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
  const begin = performance.now()
  let under = 0
  for (let count = 0; !isOver(); ) {
    const due = ((performance.now() - begin) / 1000) * rate
    for (; count < due; count++) {
      if (under > 1_000) continue // this machine does not keep up: send fewer requests
      const kind = hundred[(count * 37) % hundred.length] as Kind
      under++
      void ask(proxies[count % proxies.length] as Proxy, kind).then((answered) => {
        under--
        note(kind, answered)
      })
    }
    await sleep(5)
  }
  while (under > 0) await sleep(20)
}

/** Checks ten times a second which revision a proxy serves. */
async function watch(proxy: Proxy, secret: string): Promise<void> {
  while (!isOver()) {
    const { status, body } = await ask(proxy, { path: "/v1/flags/revision", secret })
    const number = revisionIn(body)
    if (status === 200 && number !== proxy.seen.at(-1)?.number)
      proxy.seen.push({ number, at: performance.now() })
    await sleep(100)
  }
}

// --- What happens meanwhile ------------------------------------------------------------------------------------------

/** Repeats until the end, with this many seconds between the end of one run and the start of the next. */
async function every(seconds: number, work: () => Promise<unknown>): Promise<void> {
  for (let begin = performance.now(); !isOver(); await sleep(100)) {
    if (performance.now() - begin < seconds * 1000) continue
    await work()
    begin = performance.now()
  }
}

/** Seconds until all proxies answer so. */
async function until(proxies: readonly Proxy[], secret: string, wanted: number): Promise<number> {
  const begin = performance.now()
  for (const proxy of proxies)
    while (!isOver() && (await ask(proxy, { path: "/v1/flags/revision", secret })).status !== wanted)
      await sleep(200)
  return (performance.now() - begin) / 1000
}

const keyDelays: number[] = []
/** Streams of the newest key. */
let ofKey: Promise<void>[] = []
let streamsEnded = 0

/** Publishes and, every sixth time, creates a key, listens with it, and revokes the previous one. */
async function publishMore(proxies: readonly Proxy[], secrets: Map<string, string>): Promise<void> {
  if (published % 6 !== 0) return publish()
  const [id, old] = [`key-${secrets.size}`, `key-${secrets.size - 1}`]
  const secret = await createKey(id)
  const oldSecret = secrets.get(old)
  secrets.set(id, secret)
  if (oldSecret !== undefined) await flagstone("keys", "revoke", old)
  await publish()
  keyDelays.push(await until(proxies, secret, 200))
  if (oldSecret !== undefined) {
    keyDelays.push(await until(proxies, oldSecret, 401))
    const all = ofKey.length
    let ended = 0
    for (const stream of ofKey) void stream.then(() => ended++)
    await sleep(1_000)
    streamsEnded += ended
    if (ended < all) faults.push(`${all - ended} streams of a revoked key go on`)
  }
  const headers = { authorization: `Bearer ${secret}` }
  const held = await Promise.all(proxies.map(({ url }) => holdOpen(`${url}${eventsPath}`, headers, over)))
  ofKey = held.map(({ ended }) => ended)
}

const storePort = await freePort()
const startStore = () =>
  start("redis-server", ["--port", String(storePort), "--save", "", "--loglevel", "warning"])
let store = startStore()
let losses = 0
const killsOneIn = 3

async function loseStore(): Promise<void> {
  losses++
  if (losses % killsOneIn === 0) {
    store.kill("SIGKILL")
    await sleep(5_000)
    store = startStore()
    return
  }
  store.kill("SIGSTOP")
  await sleep(5_000)
  store.kill("SIGCONT")
}

// --- The run ---------------------------------------------------------------------------------------------------------

/** How often each string occurs. */
function counted(texts: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(texts, (text) => text))
  return counts.map(([text, all = []]) => `${all.length} ${text}`).join(", ")
}

const round = (value: number) => Math.round(value * 100) / 100
const tightLimit = { capacity: 100, refillPerSecond: 20 }

/** The most that a bucket with this share of the limit admits. */
const bucketful = (milliseconds: number, part = 1) =>
  (tightLimit.capacity + (tightLimit.refillPerSecond * milliseconds) / 1000) * part

/**
 * How many requests the tight limit may admit. The store's bucket is full at first and each time the store comes back
 * empty; it refills while the store hangs, too. Each proxy also has a bucket with its share of the limit, which counts while
 * the proxy does not share: it may be full at the beginning of each outage, and refills.
 */
function mostAdmitted(proxies: readonly Proxy[], from: number, until: number): number {
  const killed = Math.floor(losses / killsOneIn)
  const ofStore = bucketful(until - from) + killed * tightLimit.capacity
  const ofProxies = proxies.map(({ outages }) => {
    const each = outages.map((outage) =>
      bucketful(Math.min(outage.until, until) - outage.from, 1 / proxies.length),
    )
    const sum = each.reduce((a, b) => a + b, 0)
    return Math.min(sum, bucketful(until - from, 1 / proxies.length))
  })
  return ofProxies.reduce((a, b) => a + b, ofStore)
}

async function soak(): Promise<void> {
  mkdirSync(flags)
  writeFileSync(join(flags, "project.yaml"), "project: soak\nenvironments: [production]\n")
  writeFileSync(join(folder, ".gitignore"), "dist/\nserved/\ncache/\n")
  for (let at = 0; at < 50; at++)
    writeFileSync(
      join(flags, `flag-${at}.yaml`),
      "defaultValue: false\nenvironments:\n  production: {enabled: true}\n",
    )
  await run("git", "init", "-q")
  const web = await createKey("web")
  const tight = await createKey("tight", `${tightLimit.capacity}/${tightLimit.refillPerSecond}`)
  await publish()
  await untilListening(storePort)
  const origin = await startOrigin()
  const address = `redis://127.0.0.1:${storePort}`
  const proxies: Proxy[] = []
  for (let count = 0; count < 3; count++) proxies.push(await startProxy(origin, address))
  await sleep(2_000)
  for (const proxy of proxies) proxy.descriptors = descriptorsOf(proxy)

  const secrets = new Map<string, string>()
  const kinds = kindsOf(web, tight)
  for (const proxy of proxies) startListeners(proxy, kinds)
  await Promise.all([
    load(proxies, kinds),
    ...proxies.map((proxy) => watch(proxy, web)),
    every(10, () => publishMore(proxies, secrets)),
    every(60, loseStore),
    every(5, async () => {
      for (const proxy of proxies) proxy.memory.push(memoryOf(proxy))
    }),
  ])

  agent.destroy()
  // Connections end, and so does the thread that prepares a last revision, which takes a while on a busy machine.
  for (let seconds = 0; seconds < 60 && (seconds < 10 || proxies.some(hasMore)); seconds++) await sleep(1_000)
  report(proxies)
}

function report(proxies: readonly Proxy[]): void {
  console.table(Object.fromEntries([...answers].map(([name, counts]) => [name, Object.fromEntries(counts)])))
  console.table(
    proxies.map((proxy) => {
      const warm = proxy.memory.slice(Math.ceil(proxy.memory.length / 6))
      const third = Math.floor(warm.length / 3)
      const [before, after] = [median(warm.slice(0, third)), median(warm.slice(-third))]
      const growth = after / before
      if (growth > 1.15) faults.push(`memory: ${round(before)} MB, then ${round(after)} MB`)
      const left = leftOf(proxy)
      if (hasMore(proxy))
        faults.push(
          `${left} descriptors are left over: ${counted(proxy.descriptors)}, then ${counted(descriptorsOf(proxy))}`,
        )
      const seen = proxy.seen.map(({ number }) => number)
      const isOrdered = seen.every((number, at) => at === 0 || number > (seen[at - 1] ?? 0))
      // The last one may have come too late to be read.
      const missed = Array.from({ length: Math.max(0, published - 1) }, (_, at) => at + 1).filter(
        (number) => !seen.includes(number),
      )
      if (!isOrdered) faults.push(`revisions out of order: ${seen.join(" ")}`)
      if (missed.length > 0) faults.push(`revisions not seen: ${missed.join(" ")}`)
      return {
        "MB early": round(before),
        "MB late": round(after),
        "descriptors more": left,
        "revisions seen": `${seen.length} of ${published}`,
        "in order": isOrdered,
        "store away": proxy.outages.length,
        "and back": proxy.outages.filter(({ until }) => until < Number.POSITIVE_INFINITY).length,
      }
    }),
  )
  console.table(
    Object.fromEntries(
      ["servers", "pages"].map((wanted) => {
        const rows = proxies.flatMap((proxy) =>
          proxy.listeners
            .filter(({ name }) => name === wanted)
            .map((listener) => ({ ...listener, served: proxy.seen.length, ...toldOf(proxy, listener) })),
        )
        const sum = (of: (row: (typeof rows)[number]) => number) =>
          rows.reduce((total, row) => total + of(row), 0)
        const missed = rows.flatMap((row) => row.missed)
        if (missed.length > 0) faults.push(`${wanted} were not told of ${counted(missed.map(revisionOf))}`)
        const told = rows.flatMap((row) => row.waits).toSorted((a, b) => a - b)
        return [
          wanted,
          {
            listen: rows.length,
            streams: sum(({ streams }) => streams.length),
            events: sum(({ events }) => events),
            "of them again": sum(({ repeated }) => repeated),
            "revisions had": `${told.length} of ${sum(({ served }) => served)}`,
            "ms after the proxy": round(median(told)),
            p99: round(told[Math.floor(told.length * 0.99)] ?? 0),
            longest: round(told.at(-1) ?? 0),
          },
        ]
      }),
    ),
  )
  const sorted = waits.toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [tightAdmitted[0], tightAdmitted.at(-1)]
  const most = mostAdmitted(proxies, first, last)
  if (tightAdmitted.length > most)
    faults.push(`a tight key was admitted ${tightAdmitted.length} times of ${Math.floor(most)}`)
  console.table([
    {
      requests: waits.length,
      "a second": Math.round(waits.length / (minutes * 60)),
      "ms median": round(median(waits)),
      p99: round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
      longest: round(sorted.at(-1) ?? 0),
      "store lost": losses,
      "tight key, of one bucket's": round(tightAdmitted.length / bucketful(last - first)),
      "of what it may": round(tightAdmitted.length / most),
      "s until a key counts: most": round(Math.max(0, ...keyDelays)),
      "its streams ended": streamsEnded,
      load: round(loadavg()[0] ?? 0),
    },
  ])
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(faults.length === 0 ? "held" : `${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

try {
  await soak()
} finally {
  for (const child of started) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
