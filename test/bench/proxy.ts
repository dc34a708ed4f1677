import { hash, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { freePort } from "../servers/ports.ts"
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
  startServer,
  stopServers,
  type Target,
} from "./servers.ts"
import { buildSnapshots, median } from "./snapshots.ts"

// `npm run bench:proxy`: the proxy, as in the published package, against a floor in the same run, plain node:http that writes the same bytes and
// headers with no logic, and nginx that serves the same file. Rounds are interleaved, and medians taken. `--rounds n`, `--seconds n`, `--only <part of a case's name>` or `--only usual`.

const rounds = Number(option("rounds") ?? 3)
const seconds = Number(option("seconds") ?? 2)
const only = option("only") ?? ""
const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const hasNginx = existsSync("/usr/sbin/nginx")

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
    const nginx = hasNginx && request.status === 200 ? await startNginx(request) : undefined
    const targets: [string, Target, Request][] = [
      ["ours", proxy, request],
      ["floor", floor, request],
    ]
    if (nginx !== undefined) targets.push(["nginx", nginx, request])
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
      "ours/nginx req/s": nginx ? round(of("ours", "perSecond") / of("nginx", "perSecond")) : "",
    })
    floor.stop()
    nginx?.stop()
  }
  console.table(table)
  const [, low = Number.NaN, high = Number.NaN] = usual.toSorted((left, right) => left - right)
  if (usual.length === 4)
    console.log(`list of 2 KB and 100 KB, 304, one flag: ${round((low + high) / 2)} of the floor, goal 0.78`)
  if (only === "" || only === "reload") await benchLarge()
} finally {
  stopServers()
  rmSync(folder, { recursive: true })
}

/** 10,000 flags in 3 environments: time to be ready, memory, and what a reload does to those who ask meanwhile. */
async function benchLarge(): Promise<void> {
  const dist = join(folder, "large")
  const environments = ["production", "staging", "development"]
  buildSnapshots(dist, { project: "large", flags: 10_000, environments })
  const secret = createApiKey(randomBytes)
  const digest = parseApiKey(secret)?.digest
  const keyFile = join(folder, "large.yaml")
  writeFileSync(
    keyFile,
    `keys:\n  - {id: a, environment: production, digest: "sha256:${digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: {capacity: 1000000000, refillPerSecond: 1000000000}}\n`,
  )
  const begun = performance.now()
  const large = await startServe(["--snapshots", dist, "--keys", keyFile])
  const ready = performance.now() - begun
  const memory = megabytes(large.pid, "VmRSS")
  const quiet: number[] = []
  const reloading: number[] = []
  const request = { path: "/v1/flags/flag-00001", headers: { authorization: `Bearer ${secret}` } }
  const reload = (salt: string): Promise<void> => {
    buildSnapshots(dist, { project: "large", flags: 10_000, environments, salt })
    const reloaded = large.said("snapshots reloaded")
    process.kill(large.pid, "SIGHUP")
    return reloaded
  }
  const durations: number[] = []
  for (let round = 0; round < rounds; round++) {
    await load(large, request, 1)
    quiet.push((await load(large, request, 5)).p99)
    const begun = performance.now()
    reloading.push((await load(large, request, 120, reload(`loaded ${round}`))).p99)
    durations.push((performance.now() - begun) / 1000)
  }
  const idleBegun = performance.now()
  await reload("idle")
  const idle = (performance.now() - idleBegun) / 1000
  const after = megabytes(large.pid, "VmRSS")
  const peak = megabytes(large.pid, "VmHWM")
  large.stop()
  console.table([
    {
      "10,000 flags x 3, bytes each": readFileSync(join(dist, "production.json")).length,
      "ms to ready": Math.round(ready),
      "MB at start": memory,
      [`MB after ${rounds + 1} reloads`]: after,
      "MB at most": peak, // it has no other process
      "quiet p99 ms": round(median(quiet)),
      "p99 ms during reload": round(median(reloading)),
      ratio: round(median(reloading) / median(quiet)),
      "s of a reload under load": round(median(durations)),
      "s without": round(idle),
    },
  ])
}

/** A process's memory now, or at its peak. */
function megabytes(pid: number, member: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Math.round(Number(new RegExp(`${member}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
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

async function startNginx({ body, answer }: Prepared): Promise<Target> {
  const port = await freePort()
  const home = join(folder, `nginx-${port}`)
  mkdirSync(home)
  writeFileSync(join(home, "body"), body)
  const headers = Object.entries(answer)
    .filter(([name]) => !/^(content-length|content-type|etag)$/i.test(name))
    .map(([name, value]) => `add_header ${name} '${value}';`)
  writeFileSync(
    join(home, "nginx.conf"),
    `daemon off; master_process off; pid ${home}/pid; error_log ${home}/error.log; events {}
http { access_log off; keepalive_requests 1000000000; default_type application/json; sendfile on; tcp_nopush on; open_file_cache max=10;
  client_body_temp_path ${home}/a; proxy_temp_path ${home}/b; fastcgi_temp_path ${home}/c; uwsgi_temp_path ${home}/d; scgi_temp_path ${home}/e;
  server { listen 127.0.0.1:${port}; root ${home}; location / { try_files /body =404; ${headers.join(" ")} } } }`,
  )
  return startServer(
    "/usr/sbin/nginx",
    ["-c", join(home, "nginx.conf"), "-e", join(home, "error.log")],
    port,
    undefined,
  )
}

function slug(size: string): string {
  return `p${size.replace(" ", "")}`
}
