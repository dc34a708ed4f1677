import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { freePort } from "../servers/ports.ts"

// Servers on the first core and their load on the second. The measure is the server's CPU time for a request: throughput on a
// shared machine moves far more.

const root = resolve(import.meta.dirname, "../..")
const started: ChildProcess[] = []

export interface Target {
  readonly pid: number
  readonly port: number
  stop(): void
}

export interface Round {
  readonly perSecond: number
  /** Microseconds of the server's CPU for one request. */
  readonly cpu: number
  /** Milliseconds. */
  readonly p99: number
}

export interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A body, which is sent with `POST`; without one, `GET`. */
  readonly posts?: string
}

/** A request and its answer. */
export interface Prepared extends Request {
  readonly status: number
  readonly body: Buffer
  readonly answer: Readonly<Record<string, string>>
}

/** The proxy, as in the published package. */
export async function startServe(args: readonly string[]): Promise<Target> {
  const port = await freePort()
  const main = join(root, "build/cli/main.js")
  const serve = [...process.execArgv, main, "serve", "--port", String(port), ...args]
  return startServer(process.execPath, serve, port, "proxy started")
}

/** Starts a server on the first core; ready when it says so on stdout. */
async function startServer(
  command: string,
  args: readonly string[],
  port: number,
  says: string,
): Promise<Target> {
  const child = spawn("taskset", ["-c", "0", command, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  started.push(child)
  await new Promise<void>((done, failed) => {
    child.stdout.on("data", (chunk) => String(chunk).includes(says) && done())
    child.once("exit", () => failed(new Error(`${command} ended`)))
  })
  return { pid: child.pid ?? 0, port, stop: () => child.kill("SIGKILL") }
}

export function stopServers(): void {
  for (const child of started) child.kill("SIGKILL")
}

/** Asks once, so that the floor can answer with the same bytes and headers. Its files are in `folder`. */
export function askFor(request: Request, { port }: Target, folder: string): Prepared {
  const { path, headers, posts } = request
  const lines = Object.entries(headers).map(([name, value]) => `-H${name}: ${value}`)
  const data = posts === undefined ? [] : ["--data-binary", posts]
  const ask = () =>
    execFileSync(
      "curl",
      ["-s", "-D", join(folder, "head"), ...lines, ...data, `http://127.0.0.1:${port}${path}`],
      { maxBuffer: 1e8 },
    )
  ask()
  const body = ask()
  const [status = "", ...rest] = readFileSync(join(folder, "head"), "latin1").trim().split("\r\n")
  const answer = Object.fromEntries(
    rest
      .map((line) => line.split(/: (.*)/s).slice(0, 2))
      .filter(([name = ""]) => !/^(date|connection|keep-alive)$/i.test(name)),
  )
  return { ...request, status: Number(status.split(" ")[1]), body, answer }
}

/** Plain node:http that repeats an answer, after it has read the body, if there is one. */
export async function startFloor({ status, body, answer, posts }: Prepared, folder: string): Promise<Target> {
  const file = join(folder, "floor.body")
  const settings = join(folder, "floor.json")
  writeFileSync(file, body)
  const reads = posts !== undefined
  writeFileSync(
    settings,
    JSON.stringify({ status, headers: answer, reads, ...(body.length > 0 && { file }) }),
  )
  const port = await freePort()
  const floor = join(import.meta.dirname, "floor.ts")
  return startServer(process.execPath, [floor, settings, String(port)], port, "ready")
}

/** wrk on the second core, for so many seconds. CPU time counts what the kernel did for the server, too. */
export async function load(
  { pid, port }: Target,
  { path, headers, posts }: Request,
  duration: number,
): Promise<Round> {
  const lines = Object.entries(headers).map(([name, value]) => `-H${name}: ${value}`)
  const script = join(import.meta.dirname, "report.lua")
  const before = cpuSeconds(pid)
  const wrk = ["wrk", "-t1", "-c32", `-d${duration}s`, "-s", script]
  const url = `http://127.0.0.1:${port}${path}`
  const posted = posts === undefined ? [] : ["--", posts]
  const child = spawn("taskset", ["-c", "1", ...wrk, ...lines, url, ...posted], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const output = await text(child.stdout)
  const used = cpuSeconds(pid) - before
  const [, requests = "0", micros = "1", p99 = "0"] = /REPORT (\d+) (\d+) (\d+)/.exec(output) ?? []
  return {
    perSecond: (Number(requests) / Number(micros)) * 1e6,
    cpu: (used * 1e6) / Number(requests),
    p99: Number(p99) / 1000,
  }
}

/** The CPU time of a process so far. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** With two decimals, for tables. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** The value of `--name` on the command line. */
export function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
