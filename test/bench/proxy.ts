import { hash, randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import {
  askFor,
  load,
  option,
  type Prepared,
  type Request,
  type Round,
  round,
  startFloor,
  startServe,
  stopServers,
  type Target,
} from "./servers.ts"
import { buildSnapshots, median } from "./snapshots.ts"

// `npm run bench:proxy`: the proxy, as in the published package, against a floor in the same run, plain node:http that writes the same bytes and
// headers with no logic. Rounds are interleaved, and medians taken. `--rounds n`, `--seconds n`, `--only <part of a case's name>` or `--only usual`.

const rounds = Number(option("rounds") ?? 3)
const seconds = Number(option("seconds") ?? 2)
const only = option("only") ?? ""
const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))

interface Case {
  readonly name: string
  readonly project: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The floor's CPU time over ours, at least; `undefined`: less CPU time than a list of 2 KB. */
  readonly goal: number | undefined
  /** Whether it is one of the four that together have a goal. `--only usual` asks for these. */
  readonly isUsual?: boolean
}

const sizes = { "2 KB": 4, "100 KB": 165, "400 KB": 660 }
const keys: string[] = ["keys:"]
function mint(id: string, project: string, capacity: number): string {
  const secret = createApiKey(randomBytes)
  const digest = parseApiKey(secret)?.digest
  keys.push(
    `  - {id: ${id}, project: ${project}, environment: production, digest: "sha256:${digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: {capacity: ${capacity}, refillPerSecond: ${capacity === 1 ? 0.0001 : capacity}}}`,
  )
  return secret
}

for (const [size, flags] of Object.entries(sizes))
  buildSnapshots(join(folder, size), { project: slug(size), flags, environments: ["production"] })
const bearers = new Map(
  Object.keys(sizes).map((size) => [size, `Bearer ${mint(slug(size), slug(size), 1e9)}`]),
)
const poor = `Bearer ${mint("poor", slug("2 KB"), 1)}`
const key2 = bearers.get("2 KB") ?? ""
writeFileSync(join(folder, "keys.yaml"), `${keys.join("\n")}\n`)

const cases: Case[] = [
  ...Object.keys(sizes).flatMap((size): Case[] => {
    const authorization = bearers.get(size) ?? ""
    return [
      {
        name: `list ${size} identity`,
        project: size,
        path: "/v1/flags",
        headers: { authorization },
        goal: 0.7,
        isUsual: size !== "400 KB",
      },
      {
        name: `list ${size} br`,
        project: size,
        path: "/v1/flags",
        headers: { authorization, "accept-encoding": "gzip, br" },
        goal: 0.7,
      },
    ]
  }),
  {
    name: "304",
    project: "2 KB",
    path: "/v1/flags",
    headers: { authorization: key2, "if-none-match": "ETAG" },
    goal: 0.7,
    isUsual: true,
  },
  {
    name: "one flag",
    project: "2 KB",
    path: "/v1/flags/flag-00001",
    headers: { authorization: key2 },
    goal: 0.7,
    isUsual: true,
  },
  {
    name: "401",
    project: "2 KB",
    path: "/v1/flags",
    headers: { authorization: "Bearer guess" },
    goal: undefined,
  },
  { name: "429", project: "2 KB", path: "/v1/flags", headers: { authorization: poor }, goal: undefined },
].filter(({ name, isUsual }) => (only === "usual" ? isUsual : name.includes(only)))

try {
  const proxy = await startProxy()
  const table: Record<string, unknown>[] = []
  const usual: number[] = []
  const list = { path: "/v1/flags", headers: { authorization: key2 } }
  for (const one of cases) {
    const request = prepare(one, proxy)
    const floor = await startFloor(request, folder)
    const targets: [string, Target, Request][] = [
      ["ours", proxy, request],
      ["floor", floor, request],
    ]
    if (one.goal === undefined) targets.push(["list", proxy, list])
    const results = new Map<string, Round[]>(targets.map(([name]) => [name, []]))
    for (const [, target, request] of targets) await load(target, request, 5) // until V8 has compiled what is used
    for (let round = 0; round < rounds; round++)
      for (const [name, target, request] of targets)
        results.get(name)?.push(await load(target, request, seconds))
    const of = (name: string, member: keyof Round): number =>
      median((results.get(name) ?? []).map((round) => round[member]))
    /** The median of what the rounds say: both servers of a round had the same neighbours on the machine. */
    const ratio = (left: string, right: string): number => {
      const [lefts = [], rights = []] = [results.get(left), results.get(right)]
      return median(lefts.map(({ cpu }, at) => cpu / (rights[at]?.cpu ?? Number.NaN)))
    }
    const cpu = ratio("floor", "ours")
    const toList = ratio("ours", "list")
    if (one.isUsual) usual.push(cpu)
    table.push({
      case: one.name,
      "bytes sent": request.body.length,
      "µs/request": round(of("ours", "cpu")),
      "floor µs": round(of("floor", "cpu")),
      "floor/ours cpu": round(cpu),
      goal: one.goal ?? "ours/200 < 1",
      "ours/200 cpu": one.goal === undefined ? round(toList) : "",
      met: (one.goal === undefined ? toList < 1 : cpu >= one.goal) ? "yes" : "NO",
      "ours/floor req/s": round(of("ours", "perSecond") / of("floor", "perSecond")),
      "p99 ours/floor": round(of("ours", "p99") / of("floor", "p99")),
    })
    floor.stop()
  }
  console.table(table)
  const [, low = Number.NaN, high = Number.NaN] = usual.toSorted((left, right) => left - right)
  if (usual.length === 4)
    console.log(`list of 2 KB and 100 KB, 304, one flag: ${round((low + high) / 2)} of the floor, goal 0.78`)
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}

async function startProxy(): Promise<Target> {
  return startServe([
    ...Object.keys(sizes).flatMap((size) => ["--snapshots", join(folder, size)]),
    "--keys",
    join(folder, "keys.yaml"),
    ...extra(),
  ])
}

/** Arguments after `--` go to `serve`, such as `--admin-port 9090`. */
function extra(): readonly string[] {
  const at = process.argv.indexOf("--")
  return at < 0 ? [] : process.argv.slice(at + 1)
}

/** Asks once for the case's answer. The list's tag is that of its bytes. */
function prepare({ project, path, headers }: Case, target: Target): Prepared {
  const asked: Record<string, string> = { "accept-encoding": "identity", ...headers }
  if (asked["if-none-match"] !== undefined) {
    const text = readFileSync(join(folder, project, "production.json"))
    asked["if-none-match"] = `"${hash("sha256", text, "hex").slice(0, 32)}"`
  }
  return askFor({ path, headers: asked }, target, folder)
}

function slug(size: string): string {
  return `p${size.replace(" ", "")}`
}
