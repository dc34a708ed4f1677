import { execFileSync, type StdioOptions, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../servers/ports.ts"

// What starting the packed package costs: `npm run bench:start [rounds]`. CPU is user + system of the whole process,
// as a multiple of `node -e 0` in the same rounds, so that a busy machine slows both. The time until a proxy is ready is
// the least of all rounds, because other work can only add to it. Exits with 1 over a limit.
const rounds = Number(process.argv[2] ?? 21)
const root = resolve(import.meta.dirname, "../..")
const cwd = mkdtempSync(join(tmpdir(), "flagstone-start-"))
const quiet: { encoding: "utf8"; stdio: StdioOptions } = {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "ignore"],
}

const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--pack-destination", cwd], { ...quiet, cwd: root }),
)
writeFileSync(join(cwd, "package.json"), "{}")
execFileSync("npm", ["install", "--prefer-offline", join(cwd, packed.filename)], { ...quiet, cwd })
const flagstone = join(cwd, "node_modules/flagstone/cli/flagstone.js")

// The example project for lint, and ten flags for the proxy.
cpSync(join(root, "flags"), join(cwd, "flags"), { recursive: true })
mkdirSync(join(cwd, "ten/flags"), { recursive: true })
writeFileSync(join(cwd, "ten/flags/project.yaml"), "project: ten\nenvironments: [production]\n")
for (let flag = 0; flag < 10; flag++) {
  const rules = "rules: [{ attribute: country, operator: equals, value: DE, returnValue: true }]"
  writeFileSync(
    join(cwd, `ten/flags/flag-${flag}.yaml`),
    `defaultValue: false\nenvironments: { production: { enabled: true, ${rules} } }\n`,
  )
}
for (const args of [["build"], ["keys", "create", "production"]])
  execFileSync(process.execPath, [flagstone, ...args], { ...quiet, cwd: join(cwd, "ten") })

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** CPU milliseconds. bash reads the system's count; Node does not report it for a child. */
function cpuOf(args: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>/dev/null </dev/null'
  const { stderr } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
    ...quiet,
    cwd,
    stdio: "pipe",
  })
  const seconds = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number)
  return seconds.reduce((sum, one) => sum + one * 1000, 0)
}

/** Milliseconds from the start of the process to a ready proxy, and its memory in MB two seconds later. */
async function startProxy(): Promise<{ readonly ready: number; readonly rest: number }> {
  const port = await freePort()
  const startedAt = performance.now()
  const proxy = spawn(process.execPath, [flagstone, "serve", "--port", String(port)], {
    cwd: join(cwd, "ten"),
    stdio: ["ignore", "pipe", "inherit"],
  })
  await once(proxy.stdout, "data") // its first line says that it has started
  const ready = performance.now() - startedAt
  if (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) throw new Error("the proxy is not ready")
  await sleep(2_000)
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${proxy.pid}/status`, "utf8")) ?? []
  proxy.kill()
  await once(proxy, "exit")
  return { ready, rest: Number(kilobytes) / 1024 }
}

const commands = [
  { args: ["--version"], limit: 3 },
  { args: ["--help"], limit: 3 },
  { args: ["lint"], limit: 3.5 },
  { args: ["build"], limit: undefined },
  { args: ["diff", "--help"], limit: undefined },
]
const floors: number[] = []
const times = commands.map((): number[] => [])
for (const { args } of commands) cpuOf([flagstone, ...args]) // fills Node's compile cache
for (let round = 0; round < rounds; round++) {
  floors.push(cpuOf(["-e", "0"]))
  for (const [at, { args }] of commands.entries()) times[at]?.push(cpuOf([flagstone, ...args]))
}
const proxies: Awaited<ReturnType<typeof startProxy>>[] = []
await startProxy()
for (let round = 0; round < Math.min(rounds, 7); round++) proxies.push(await startProxy())
rmSync(cwd, { recursive: true })

const floor = median(floors)
const rows = [
  ...commands.map(({ args, limit }, at) => {
    const time = median(times[at] ?? [])
    return {
      what: `flagstone ${args.join(" ")}`,
      value: time / floor,
      limit,
      unit: `x (${time.toFixed(0)} ms)`,
    }
  }),
  {
    what: "proxy with 10 flags, ready",
    value: Math.min(...proxies.map(({ ready }) => ready)),
    limit: 200,
    unit: "ms",
  },
  {
    what: "proxy with 10 flags, at rest",
    value: median(proxies.map(({ rest }) => rest)),
    limit: 75,
    unit: "MB",
  },
]
console.log(`node -e 0: ${floor.toFixed(0)} ms of CPU; medians of ${rounds}`)
for (const { what, value, limit, unit } of rows) {
  const verdict = limit === undefined ? "" : value <= limit ? `  (at most ${limit})` : `  OVER ${limit}`
  console.log(`${what.padEnd(30)} ${value.toFixed(value < 20 ? 2 : 0).padStart(6)} ${unit}${verdict}`)
}
process.exitCode = rows.some(({ value, limit }) => limit !== undefined && value > limit) ? 1 : 0
