import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { hash, randomBytes } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { buildSnapshots, median } from "./snapshots.ts"

// `npm run bench:proxy`: the proxy, as the published package has it, against a floor in the same run, plain node:http that writes the same bytes and
// headers with no logic, and nginx that serves the same file. One core for the server, one for the load, rounds
// interleaved, medians. The measure is the server's CPU time for a request: throughput on a shared machine moves far
// more. `--rounds n`, `--seconds n`, `--only <part of a case's name>`.

const root = resolve(import.meta.dirname, "../..")
const rounds = Number(option("rounds") ?? 3)
const seconds = Number(option("seconds") ?? 2)
const only = option("only") ?? ""
const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const started: ChildProcess[] = []
const hasNginx = existsSync("/usr/sbin/nginx")

interface Case {
  readonly name: string
  readonly project: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The floor's CPU time over ours, at least; `undefined`: less CPU time than a list of 2 KB. */
  readonly goal: number | undefined
}

interface Target {
  readonly pid: number
  readonly port: number
  /** Resolves when it has said so in its log, from now on. */
  said(text: string): Promise<void>
  stop(): void
}

interface Round {
  readonly perSecond: number
  /** Microseconds of the server's CPU for one request. */
  readonly cpu: number
  /** Milliseconds. */
  readonly p99: number
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
        goal: size === "2 KB" ? 0.85 : 0.9,
      },
      {
        name: `list ${size} br`,
        project: size,
        path: "/v1/flags",
        headers: { authorization, "accept-encoding": "gzip, br" },
        goal: 0.85, // what is sent has at most 4 KB, whatever the list has
      },
    ]
  }),
  {
    name: "304",
    project: "2 KB",
    path: "/v1/flags",
    headers: { authorization: key2, "if-none-match": "ETAG" },
    goal: 0.85,
  },
  {
    name: "one flag",
    project: "2 KB",
    path: "/v1/flags/flag-00001",
    headers: { authorization: key2 },
    goal: 0.75,
  },
  {
    name: "401",
    project: "2 KB",
    path: "/v1/flags",
    headers: { authorization: "Bearer guess" },
    goal: undefined,
  },
  { name: "429", project: "2 KB", path: "/v1/flags", headers: { authorization: poor }, goal: undefined },
].filter(({ name }) => name.includes(only))

try {
  const proxy = await startProxy()
  const table: Record<string, unknown>[] = []
  const list = { path: "/v1/flags", headers: { authorization: key2 } }
  for (const one of cases) {
    const request = await prepare(one, proxy)
    const floor = await startFloor(request)
    const nginx = hasNginx && request.status === 200 ? await startNginx(request) : undefined
    const targets: [string, Target, Request][] = [
      ["ours", proxy, request],
      ["floor", floor, request],
    ]
    if (nginx !== undefined) targets.push(["nginx", nginx, request])
    if (one.goal === undefined) targets.push(["list", proxy, list])
    const results = new Map<string, Round[]>(targets.map(([name]) => [name, []]))
    for (const [, target, request] of targets) await load(target, request, 1)
    for (let round = 0; round < rounds; round++)
      for (const [name, target, request] of targets)
        results.get(name)?.push(await load(target, request, seconds))
    const of = (name: string, member: keyof Round): number =>
      median((results.get(name) ?? []).map((round) => round[member]))
    const cpu = of("floor", "cpu") / of("ours", "cpu")
    const toList = of("ours", "cpu") / of("list", "cpu")
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
  if (only === "" || only === "reload") await benchLarge()
} finally {
  for (const child of started) child.kill("SIGKILL")
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

/** What a process holds now, or held at most. */
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

/** What follows `--` goes to `serve`, such as `--admin-port 9090`. */
function extra(): readonly string[] {
  const at = process.argv.indexOf("--")
  return at < 0 ? [] : process.argv.slice(at + 1)
}

async function startServe(args: readonly string[]): Promise<Target> {
  const port = await freePort()
  return run(
    process.execPath,
    [...process.execArgv, join(root, "build/cli/main.js"), "serve", "--port", String(port), ...args],
    port,
    "proxy started",
  )
}

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

interface Prepared extends Request {
  readonly status: number
  readonly body: Buffer
  readonly answer: Readonly<Record<string, string>>
}

/** Asks once, so that the floor can answer with the same bytes and headers. */
async function prepare({ project, path, headers }: Case, { port }: Target): Promise<Prepared> {
  const asked: Record<string, string> = { "accept-encoding": "identity", ...headers }
  if (asked["if-none-match"] !== undefined) {
    const text = readFileSync(join(folder, project, "production.json"))
    asked["if-none-match"] = `"${hash("sha256", text, "hex").slice(0, 32)}"`
  }
  const lines = Object.entries(asked).map(([name, value]) => `-H${name}: ${value}`)
  const ask = () =>
    execFileSync("curl", ["-s", "-D", join(folder, "head"), ...lines, `http://127.0.0.1:${port}${path}`], {
      maxBuffer: 1e8,
    })
  ask()
  const body = ask()
  const [status = "", ...rest] = readFileSync(join(folder, "head"), "latin1").trim().split("\r\n")
  const answer = Object.fromEntries(
    rest
      .map((line) => line.split(/: (.*)/s).slice(0, 2))
      .filter(([name = ""]) => !/^(date|connection|keep-alive)$/i.test(name)),
  )
  return { path, headers: asked, status: Number(status.split(" ")[1]), body, answer }
}

async function startFloor({ status, body, answer }: Prepared): Promise<Target> {
  const file = join(folder, "floor.body")
  const settings = join(folder, "floor.json")
  writeFileSync(file, body)
  writeFileSync(settings, JSON.stringify({ status, headers: answer, ...(body.length > 0 && { file }) }))
  const port = await freePort()
  return run(process.execPath, [join(root, "test/bench/floor.ts"), settings, String(port)], port, "ready")
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
  return run(
    "/usr/sbin/nginx",
    ["-c", join(home, "nginx.conf"), "-e", join(home, "error.log")],
    port,
    undefined,
  )
}

/** Starts a server on the first core; ready when it says so, or when its port takes connections. */
async function run(
  command: string,
  args: readonly string[],
  port: number,
  says: string | undefined,
): Promise<Target> {
  const child = spawn("taskset", ["-c", "0", command, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  started.push(child)
  if (says === undefined) await new Promise((done) => setTimeout(done, 300))
  else
    await new Promise<void>((done, failed) => {
      child.stdout.on("data", (chunk) => String(chunk).includes(says) && done())
      child.once("exit", () => failed(new Error(`${command} ended`)))
    })
  const said = (text: string) =>
    new Promise<void>((done) => {
      const listener = (chunk: Buffer): void => {
        if (!String(chunk).includes(text)) return
        child.stdout.off("data", listener)
        done()
      }
      child.stdout.on("data", listener)
    })
  return { pid: child.pid ?? 0, port, said, stop: () => child.kill("SIGKILL") }
}

/** wrk on the second core, for so many seconds or `until`. CPU time counts what the kernel did for the server, too. */
async function load(
  { pid, port }: Target,
  { path, headers }: Request,
  duration: number,
  until?: Promise<void>,
): Promise<Round> {
  const lines = Object.entries(headers).map(([name, value]) => `-H${name}: ${value}`)
  const script = join(import.meta.dirname, "report.lua")
  const before = cpuSeconds(pid)
  const wrk = ["wrk", "-t1", "-c32", `-d${duration}s`, "-s", script]
  const child = spawn("taskset", ["-c", "1", ...wrk, ...lines, `http://127.0.0.1:${port}${path}`], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  until?.then(() => child.kill("SIGINT")) // upon which it reports
  const output = await text(child.stdout)
  const used = cpuSeconds(pid) - before
  const [, requests = "0", micros = "1", p99 = "0"] = /REPORT (\d+) (\d+) (\d+)/.exec(output) ?? []
  return {
    perSecond: (Number(requests) / Number(micros)) * 1e6,
    cpu: (used * 1e6) / Number(requests),
    p99: Number(p99) / 1000,
  }
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

function slug(size: string): string {
  return `p${size.replace(" ", "")}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
