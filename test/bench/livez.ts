import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { evaluatePath } from "../../proxy/contract/http.ts"
import { option, round, startServe, stopServers, type Target } from "./servers.ts"
import { buildSnapshots } from "./snapshots.ts"
import { rulesAt, worst } from "./worst-context.ts"

// `npm run bench:livez`: how long others wait for a proxy that evaluates. First while one address sends everything that its bucket
// allows at once: `--requests 150` for all of `--flags 10000` in the worst context that is allowed. Then while flags are reloaded
// that have as many instructions of RE2 as `lint` allows, and more.

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

/** Asks `/livez`, and the other given paths, repeatedly until `work` is done: how long each took at most. */
async function waitsDuring(target: Target, others: Readonly<Record<string, Asked>>, work: Promise<unknown>) {
  let isOver = false
  const most = Object.entries({ "/livez": { path: "/livez" }, ...others }).map(async ([name, asked]) => {
    let longest = 0
    while (!isOver) {
      const [status, took] = await ask(target, asked)
      if (status !== 200) throw new Error(`${name}: ${status}`)
      longest = Math.max(longest, took)
      await sleep(name === "/livez" ? 10 : 200) // what evaluates is limited
    }
    return [name, `${round(longest)} ms`] as const
  })
  await work
  isOver = true
  return Object.fromEntries(await Promise.all(most))
}

const memoryOf = ({ pid }: Target) =>
  `${Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024)} MB`

async function benchAddress() {
  const dist = join(folder, "many")
  buildSnapshots(dist, { project: "shop", flags, environments: ["production"], rulesAt })
  const proxy = await startServe(["--snapshots", dist, "--keys", keyFile, "--ofrep", "--trust-proxy", "1"])
  const body = JSON.stringify({ context: worst })
  const greedy = { path: evaluatePath, address: "192.0.2.1", body }
  const [, alone] = await ask(proxy, { ...greedy, address: "192.0.2.2" })
  const begin = performance.now()
  const answers = Promise.all(Array.from({ length: requests }, () => ask(proxy, greedy)))
  const others = {
    "one flag, another address": { ...greedy, path: `${evaluatePath}/flag-00001`, address: "192.0.2.3" },
  }
  const waits = await waitsDuring(proxy, others, answers)
  const statuses = Object.groupBy(await answers, ([status]) => `answered ${status}`)
  const counts = Object.entries(statuses).map(([status, all = []]) => [status, all.length])
  const took = { "one alone": `${round(alone)} ms`, all: `${round((performance.now() - begin) / 1000)} s` }
  proxy.stop()
  return { ...waits, ...took, ...Object.fromEntries(counts) }
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
  console.table({
    [`${requests} requests of one address, ${flags} flags`]: await benchAddress(),
    "a reload": await benchReload(),
  })
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}
