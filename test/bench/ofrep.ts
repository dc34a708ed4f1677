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

// `npm run bench:ofrep`: flags evaluated over HTTP, against a floor in the same run, plain node:http that reads the body and writes the
// same bytes and headers. Needs wrk. 100 flags: a quarter has no rules,
// the others have one, two or three of `contains`. Rounds are interleaved, and medians taken. `--rounds n`, `--seconds n`.

const rounds = Number(option("rounds") ?? 3)
const seconds = Number(option("seconds") ?? 2)
const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const dist = join(folder, "dist")
buildSnapshots(dist, { project: "shop", flags: 100, environments: ["production"] })

const secret = createApiKey(randomBytes)
const bucket = "{capacity: 1000000000, refillPerSecond: 1000000000}"
const keyFile = join(folder, "keys.yaml")
writeFileSync(
  keyFile,
  `keys:\n  - {id: a, environment: production, for: evaluate, digest: "sha256:${parseApiKey(secret)?.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: ${bucket}}\n`,
)

const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
const context = { targetingKey: "customer-4711", email: "ann@example-2.com", plan: "pro", country: "DE" }
const posts = JSON.stringify({ context })

interface Case {
  readonly name: string
  readonly request: Request
  /** Whether it is met by these µs of ours and of the floor. */
  readonly goal: { readonly text: string; isMet(ours: number, floor: number): boolean } | undefined
}

try {
  const args = ["--snapshots", dist, "--keys", keyFile, "--ofrep"]
  const proxy = await startServe(args)
  const all: Request = { path: evaluatePath, headers, posts }
  const etag = askFor(all, proxy, folder).answer.etag ?? ""
  const cases: Case[] = [
    {
      name: "one flag",
      request: { ...all, path: `${evaluatePath}/flag-00003` },
      goal: { text: "floor/ours ≥ 0.52", isMet: (ours, floor) => floor / ours >= 0.52 },
    },
    { name: "100 flags", request: all, goal: { text: "≤ 75 µs", isMet: (ours) => ours <= 75 } },
    {
      name: "100 flags, 304",
      request: { ...all, headers: { ...headers, "if-none-match": etag } },
      goal: undefined,
    },
  ]
  const table: Record<string, unknown>[] = []
  for (const { name, request, goal } of cases) table.push(await measure(name, request, goal, proxy))
  console.table(table)
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}

async function measure(
  name: string,
  request: Request,
  goal: Case["goal"],
  proxy: Target,
): Promise<Record<string, unknown>> {
  const prepared = askFor(request, proxy, folder)
  const floor = await startFloor(prepared, folder)
  const targets: [string, Target][] = [
    ["ours", proxy],
    ["floor", floor],
  ]
  const results = new Map<string, Round[]>(targets.map(([target]) => [target, []]))
  for (const [, target] of targets) await load(target, request, 5) // until V8 has compiled what is used
  for (let count = 0; count < rounds; count++)
    for (const [of, target] of targets) results.get(of)?.push(await load(target, request, seconds))
  floor.stop()
  const of = (target: string, member: keyof Round): number =>
    median((results.get(target) ?? []).map((result) => result[member]))
  const [ours, least] = [of("ours", "cpu"), of("floor", "cpu")]
  return {
    case: name,
    "bytes sent": prepared.body.length,
    "µs/request": round(ours),
    "floor µs": round(least),
    "floor/ours cpu": round(least / ours),
    goal: goal?.text ?? "",
    met: goal === undefined ? "" : goal.isMet(ours, least) ? "yes" : "NO",
    "p99 ours/floor": round(of("ours", "p99") / of("floor", "p99")),
  }
}
