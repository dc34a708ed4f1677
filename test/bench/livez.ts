import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type Agent, request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { evaluatePath } from "../../proxy/contract/http.ts"
import type { Rule } from "../../sdk/contract/snapshot.ts"
import { option, round, startServe, stopServers, type Target } from "./servers.ts"
import { buildSnapshots } from "./snapshots.ts"
import { rulesAt, worst } from "./worst-context.ts"

// `npm run bench:livez`: how long others wait at most for a proxy that evaluates. First while one address, or five, send at once what
// their buckets allow: `--requests 150` for all of `--flags 10000` in the worst context that is allowed, and what takes longest in other
// ways; `--only text` chooses those with this text in their names. Then while flags are reloaded that have as many instructions of RE2
// as `lint` allows, and more.

const flags = Number(option("flags") ?? 10_000)
const requests = Number(option("requests") ?? 150)
const folder = mkdtempSync(join(tmpdir(), "flagstone-livez-"))
const secret = createApiKey(randomBytes)
const keyFile = join(folder, "keys.yaml")
writeFileSync(
  keyFile,
  `keys:\n  - {id: a, environment: production, for: evaluate, digest: "sha256:${parseApiKey(secret)?.digest}", createdAt: 2026-11-21T10:00:00.000Z}\n`,
)

interface Asked {
  readonly path: string
  readonly address?: string
  readonly body?: string
}

/** A single request: its status, and the milliseconds until its answer was complete. */
function ask(
  { port }: Target,
  { path, address = "", body }: Asked,
  agent?: Agent,
): Promise<[number, number]> {
  const begin = performance.now()
  const headers = { authorization: `Bearer ${secret}`, "x-forwarded-for": address }
  return new Promise((done, failed) => {
    const method = body === undefined ? "GET" : "POST"
    const sent = request({ port, path, method, headers, agent: agent ?? false }, (response) => {
      response.resume().once("end", () => done([response.statusCode ?? 0, performance.now() - begin]))
    })
    sent.once("error", failed).end(body)
  })
}

/** Milliseconds that the proxy's main thread has been on a processor: what a wait would be if nobody else used that. */
const busyOf = ({ pid }: Target) =>
  Number(/^\d+/.exec(readFileSync(`/proc/${pid}/schedstat`, "utf8"))?.[0]) / 1e6

/** Asks `/livez`, and the other given paths, repeatedly until `work` is done: how long each took at most, and was busy. */
async function waitsDuring(target: Target, others: Readonly<Record<string, Asked>>, work: Promise<unknown>) {
  let isOver = false
  const most = Object.entries({ "/livez": { path: "/livez" }, ...others }).map(async ([name, asked]) => {
    let longest = 0
    let busiest = 0
    while (!isOver) {
      const before = busyOf(target)
      const [status, took] = await ask(target, asked)
      if (status !== 200) throw new Error(`${name}: ${status}`)
      longest = Math.max(longest, took)
      busiest = Math.max(busiest, busyOf(target) - before)
      await sleep(name === "/livez" ? 10 : 200) // what evaluates is limited
    }
    return [name, `${round(longest)} ms, busy ${round(busiest)}`] as const
  })
  await work
  isOver = true
  return Object.fromEntries(await Promise.all(most))
}

const memoryOf = ({ pid }: Target) =>
  `${Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024)} MB`

/** What is sent to a proxy with some flags, all at once, while others ask. */
interface Flood {
  readonly flags: number
  readonly rulesAt: (at: number) => readonly Rule[]
  readonly contexts: () => object
  readonly requests: number
  /** From how many addresses. */
  readonly addresses: number
  /** How many connections that send nothing are opened at the start of each second. */
  readonly connections?: number
}

async function benchFlood({ flags, rulesAt, contexts, requests, addresses, connections = 0 }: Flood) {
  const dist = mkdtempSync(join(folder, "flood-"))
  buildSnapshots(dist, { project: "shop", flags, environments: ["production"], rulesAt })
  const proxy = await startServe(["--snapshots", dist, "--keys", keyFile, "--ofrep", "--trust-proxy", "1"])
  const greedy = (at: number): Asked => ({
    path: evaluatePath,
    address: `192.0.2.${100 + (at % addresses)}`,
    body: JSON.stringify({ context: contexts() }),
  })
  const [, alone] = await ask(proxy, { ...greedy(0), address: "192.0.2.2" })
  const begin = performance.now()
  const answers = Promise.all(Array.from({ length: requests }, (_, at) => ask(proxy, greedy(at))))
  const stopConnecting = connectEachSecond(proxy, connections)
  const others = {
    "one flag, another address": { ...greedy(0), path: `${evaluatePath}/flag-00001`, address: "192.0.2.3" },
    "all flags, another address": { ...greedy(0), address: "192.0.2.4" },
  }
  const waits = await waitsDuring(proxy, others, answers)
  stopConnecting()
  const statuses = Object.groupBy(await answers, ([status]) => `answered ${status}`)
  const counts = Object.entries(statuses).map(([status, all = []]) => [status, all.length])
  const took = { "one alone": `${round(alone)} ms`, all: `${round((performance.now() - begin) / 1000)} s` }
  proxy.stop()
  return { ...waits, ...took, ...Object.fromEntries(counts) }
}

function connectEachSecond({ port }: Target, count: number): () => void {
  const open = () => {
    for (let at = 0; at < count; at++) {
      const socket = connect(port, "127.0.0.1").on("error", () => {})
      setTimeout(() => socket.destroy(), 900)
    }
  }
  open()
  const timer = setInterval(open, 1000)
  return () => clearInterval(timer)
}

const randomText = (letters: string) =>
  Array.from(randomBytes(1024), (byte) => letters[byte % letters.length]).join("")

const expressionOf = (count: number) => (at: number) => [
  { id: "r", attribute: "agent", operator: "matches", value: `a[ab]{${count}}[c${at}]`, returnValue: true },
]

/** Ways in which the few requests that a bucket allows take long (hostile.md, third round, 3). */
const floods: Readonly<Record<string, Omit<Flood, "addresses">>> = {
  [`${flags} flags`]: { flags, rulesAt, contexts: () => worst, requests },
  "20 expressions of 950": {
    flags: 20,
    rulesAt: expressionOf(950),
    contexts: () => ({ agent: randomText("ab") }),
    requests: 60,
  },
  "100 expressions of 100": {
    flags: 100,
    rulesAt: expressionOf(100),
    contexts: () => ({ agent: randomText("ab") }),
    requests: 60,
  },
  "40 flags of 1,000 rules, a list": {
    flags: 40,
    rulesAt: (at) =>
      Array.from({ length: 1_000 }, (_, rule) => ({
        ...{ id: `r${rule}`, attribute: "list", operator: "startsWith", value: `q${at}x${rule}` },
        returnValue: true,
      })),
    contexts: () => ({ list: Array.from({ length: 250 }, (_, at) => `t${at}`) }), // as many as are allowed for 40,000 rules
    requests: 60,
  },
  "10,000 percentages, 300 connections/s": {
    flags: 10_000,
    rulesAt: (at) => [
      { id: "r", attribute: "id", operator: "percentage", value: `${at % 100}`, returnValue: true },
    ],
    contexts: () => ({ id: randomText("abcdef").slice(0, 256) }),
    requests: 190,
    connections: 300,
  },
}

/** Flags whose expressions have 1,000 instructions each, and a flag of 300 that are too large (hostile.md, 4). */
function expressionsAt(at: number) {
  const many = at === 0 ? 300 : 5
  return Array.from({ length: many }, (_, index) => {
    const value =
      at === 0
        ? `(?i)^(\\p{L}{1,250}|[^\\p{Lu}]{1,250} ${index}){1,4}$`
        : `(?i)\\p{L}{1,495}${String.fromCharCode(97 + index)}${at}`
    return { id: `r${index}`, attribute: "name", operator: "matches", value, returnValue: true }
  })
}

async function benchReload() {
  const dist = join(folder, "few")
  buildSnapshots(dist, { project: "shop", flags: 1, environments: ["production"] })
  const proxy = await startServe([
    "--snapshots",
    dist,
    "--keys",
    keyFile,
    "--ofrep",
    "--poll-interval",
    "100ms",
  ])
  const reloaded = proxy.said("snapshots reloaded")
  buildSnapshots(dist, { project: "shop", flags: 200, environments: ["production"], rulesAt: expressionsAt })
  const begin = performance.now()
  const waits = await waitsDuring(proxy, {}, reloaded)
  const took = `${round((performance.now() - begin) / 1000)} s`
  const memory = memoryOf(proxy)
  proxy.stop()
  return { ...waits, "until reloaded": took, "memory at most": memory }
}

try {
  const only = option("only")
  const table: Record<string, object> = {}
  for (const [name, flood] of Object.entries(floods))
    for (const addresses of [1, 5])
      if (only === undefined || name.includes(only))
        table[`${name}, ${addresses} addr.`] = await benchFlood({ ...flood, addresses })
  if (only === undefined) table["a reload"] = await benchReload()
  console.table(table)
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}
