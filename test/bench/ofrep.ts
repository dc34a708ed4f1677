import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { evaluatePath } from "../../proxy/contract/http.ts"
import {
  askFor,
  load,
  option,
  type Request,
  type Round,
  round,
  startFloor,
  startServe,
  stopServers,
  type Target,
} from "./servers.ts"
import { buildSnapshots, median } from "./snapshots.ts"

// `npm run bench:ofrep`: flags evaluated over HTTP, and one flag read, against a floor in the same run, plain node:http that reads the
// body and writes the same bytes and headers. Needs wrk. 100 flags: a quarter has no rules, the others have one, two or three of
// `contains`. Two processes of one build may differ by a third, so there are several of each. Rounds of all
// cases are interleaved, and medians taken of rounds, then of processes. `--processes n`, `--rounds n`, `--seconds n`.

const processes = Number(option("processes") ?? 4)
const rounds = Number(option("rounds") ?? 3)
const seconds = Number(option("seconds") ?? 2)
const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const dist = join(folder, "dist")
buildSnapshots(dist, { project: "shop", flags: 100, environments: ["production"] })

const [evaluating, reading] = [createApiKey(randomBytes), createApiKey(randomBytes)]
const bucket = "{capacity: 1000000000, refillPerSecond: 1000000000}"
const keyFile = join(folder, "keys.yaml")
const keyOf = (id: string, secret: string, use: string) =>
  `  - {id: ${id}, environment: production, ${use}digest: "sha256:${parseApiKey(secret)?.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: ${bucket}}\n`
writeFileSync(keyFile, `keys:\n${keyOf("a", evaluating, "for: evaluate, ")}${keyOf("b", reading, "")}`)

const headers = { authorization: `Bearer ${evaluating}`, "content-type": "application/json" }
const context = { targetingKey: "customer-4711", email: "ann@example-2.com", plan: "pro", country: "DE" }
const posts = JSON.stringify({ context })

interface Case {
  readonly name: string
  readonly request: Request
  /** At least this much of the floor's CPU. */
  readonly ofFloor?: number
  /** At most so many GETs of a flag. */
  readonly gets?: number
}

try {
  const args = ["--snapshots", dist, "--keys", keyFile, "--ofrep"]
  const proxies: Target[] = []
  while (proxies.length < processes) proxies.push(await startServe(args))
  const all: Request = { path: evaluatePath, headers, posts }
  const etag = askFor(all, first(proxies), folder).answer.etag ?? ""
  const cases: Case[] = [
    {
      name: "GET of a flag",
      request: { path: "/v1/flags/flag-00003", headers: { authorization: `Bearer ${reading}` } },
      ofFloor: 0.65,
    },
    { name: "one flag", request: { ...all, path: `${evaluatePath}/flag-00003` }, gets: 1.7 },
    { name: "100 flags", request: all },
    { name: "100 flags, 304", request: { ...all, headers: { ...headers, "if-none-match": etag } } },
  ]
  const measured = await measure(
    cases.map(({ request }) => request),
    proxies,
  )
  const get = measured[0]?.ours ?? Number.NaN
  const rows = cases.map(({ name, ofFloor, gets }, index) => {
    const { ours = Number.NaN, floor = Number.NaN, ...others } = measured[index] ?? {}
    return {
      ...{ case: name, µs: round(ours), "floor µs": round(floor) },
      ...{ "floor/ours": round(floor / ours), GETs: round(ours / get), ...others },
      goal: ofFloor ? `floor/ours ≥ ${ofFloor}` : gets ? `GETs ≤ ${gets}` : "",
      met: ofFloor ? floor / ours >= ofFloor : gets ? ours / get <= gets : "",
    }
  })
  console.table(rows)
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}

/** Each request at each proxy and at a floor of its own, which answers the same. */
async function measure(requests: readonly Request[], proxies: readonly Target[]) {
  const runs: { readonly request: Request; readonly target: Target; readonly results: Round[] }[] = []
  for (const request of requests)
    for (const proxy of proxies) {
      const floor = await startFloor(askFor(request, proxy, folder), folder)
      runs.push({ request, target: proxy, results: [] }, { request, target: floor, results: [] })
    }
  for (const { target, request } of runs) await load(target, request, 3) // until V8 has compiled what is used
  for (let count = 0; count < rounds; count++)
    for (const { target, request, results } of runs) results.push(await load(target, request, seconds))
  return requests.map((request) => {
    const of = (isOurs: boolean, member: keyof Round) =>
      runs
        .filter((run) => run.request === request && proxies.includes(run.target) === isOurs)
        .map(({ results }) => median(results.map((result) => result[member])))
    const each = of(true, "cpu")
    return {
      ...{ ours: median(each), floor: median(of(false, "cpu")) },
      "each process": each.map(Math.round).join(" "),
      "p99 ours/floor": round(median(of(true, "p99")) / median(of(false, "p99"))),
    }
  })
}

function first(targets: readonly Target[]): Target {
  const [one] = targets
  if (one === undefined) throw new Error("no process")
  return one
}
