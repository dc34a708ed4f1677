import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** What one process took: milliseconds of time and of CPU, and its largest memory in megabytes. */
export interface Cost {
  readonly ms: number
  readonly cpu: number
  readonly mb: number
}

/** Something that is measured. */
export interface Contender {
  readonly name: string
  readonly run: () => Cost
}

/**
 * Runs in a measured process, not in its threads, whose cost is the process's. Fields 16 and 17 of /proc/self/stat are its
 * children's CPU time, in 10 ms (proc(5)).
 */
const preload = `if (require("node:worker_threads").isMainThread) process.on("exit", () => {
  const { readFileSync, writeSync } = require("node:fs")
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  let children = 0
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ")
    children = 10 * (Number(fields[13]) + Number(fields[14]))
  } catch {} // not on Linux
  writeSync(3, [(userCPUTime + systemCPUTime) / 1000 + children, maxRSS / 1024].join(" "))
})
`

/** Returns a function that runs Node and measures it; the process must succeed. */
export function createRun(work: string): (cwd: string, args: readonly string[]) => Cost {
  const file = join(work, "process-cost.cjs")
  writeFileSync(file, preload)
  return (cwd, args) => {
    const startedAt = performance.now()
    const { status, stderr, output } = spawnSync(process.execPath, ["--require", file, ...args], {
      cwd,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      encoding: "utf8",
    })
    const ms = performance.now() - startedAt
    if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`)
    const [cpu = Number.NaN, mb = Number.NaN] = String(output[3]).split(" ").map(Number)
    return { ms, cpu, mb }
  }
}

/** Runs all in turn, as often as there are rounds: the medians of time and CPU, and the largest memory. */
export function measure(contenders: readonly Contender[], rounds: number): readonly Cost[] {
  const results = contenders.map((): Cost[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, contender] of contenders.entries()) results[at]?.push(contender.run())
  }
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
  return results.map((costs) => ({
    ms: median(costs.map(({ ms }) => ms)),
    cpu: median(costs.map(({ cpu }) => cpu)),
    mb: Math.max(...costs.map(({ mb }) => mb)),
  }))
}

export function printHead(title: string): void {
  const heads = ["ms", "× floor", "CPU ms", "× floor", "peak MB"].map((head) => head.padStart(8))
  console.log(`\n${title}\n${"".padEnd(44)} ${heads.join(" ")}`)
}

export function printRow(name: string, { ms, cpu, mb }: Cost, floor: Cost): void {
  const texts = [ms.toFixed(0), (ms / floor.ms).toFixed(2), cpu.toFixed(0), (cpu / floor.cpu).toFixed(2)]
  console.log(`${name.padEnd(44)} ${[...texts, mb.toFixed(0)].map((text) => text.padStart(8)).join(" ")}`)
}
