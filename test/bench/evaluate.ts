import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Measured } from "./evaluate-one.ts"
import { peerPackages, sdks } from "./evaluate-sdks.ts"
import { workloads } from "./evaluate-workloads.ts"

// Evaluations a second and bytes allocated, of Flagstone's evaluator and of other SDKs with the same flags: 1,000 flags,
// 100 contexts, every pair in shuffled order. `--peers <folder>` uses packages that are already installed there;
// `--only <name>` measures one SDK.

const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? ""
const isGiven = (name: string) => process.argv.includes(name)

const folder = isGiven("--peers") ? option("--peers") : installPeers()
const names = Object.keys(sdks).filter((name) => !isGiven("--only") || name === option("--only"))
const times = new Map<string, readonly Measured[]>()
const bytes = new Map<string, readonly Measured[]>()
for (let pass = 0; pass < 2; pass++)
  for (const name of names) times.set(name, better(times.get(name), run(name, "time")))
for (const name of names) bytes.set(name, run(name, "bytes"))
if (!isGiven("--peers")) rmSync(folder, { recursive: true })

check()
const titles = names.map((name) => (name in peerPackages ? `${name} ${peerPackages[name]}` : name))
const whole = (value: number) => Math.round(value).toLocaleString("en")
console.log(`\nEvaluations per second of processor time, Node ${process.version}`)
table(times, ({ each }) => whole(1_000 / each))
console.log("\nAs many times faster is Flagstone")
table(times, ({ each }, ours) => (each / ours.each).toFixed(1))
console.log("\nBytes allocated per evaluation")
table(bytes, ({ each }) => whole(each))
console.log("\nMilliseconds for all 1,000 flags at once")
table(times, ({ all }) => all?.toFixed(3) ?? "–")
console.log("\nBytes allocated for all 1,000 flags at once")
table(bytes, ({ all }) => (all === null ? "–" : whole(all)))

function run(name: string, what: "time" | "bytes"): readonly Measured[] {
  const script = join(import.meta.dirname, "evaluate-one.ts")
  const nursery = what === "bytes" ? ["--max-semi-space-size=256", "--min-semi-space-size=256"] : []
  const flags = ["--expose-gc", ...nursery, script, name, folder, what]
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: "utf8" }))
}

/** The better of two passes in each number. */
function better(before: readonly Measured[] | undefined, results: readonly Measured[]): readonly Measured[] {
  return results.map((result, index) => {
    const other = before?.[index] ?? result
    const all = result.all === null || other.all === null ? null : Math.min(result.all, other.all)
    return { ...result, each: Math.min(result.each, other.each), all }
  })
}

/** Every SDK must give the same answers: as many pairs are on, except for shares by different hashes. */
function check(): void {
  for (const { name: workload, isComparable } of workloads)
    for (const name of names) {
      const expected = resultOf(times, "flagstone", workload)?.on
      const actual = resultOf(times, name, workload)?.on
      const isSame =
        expected === undefined ||
        actual === undefined ||
        Math.abs(actual - expected) <= (isComparable ? 0 : expected * 0.05)
      if (!isSame) console.error(`${workload}: ${name} has ${actual} on, flagstone ${expected}`)
    }
}

function table(
  measured: ReadonlyMap<string, readonly Measured[]>,
  cell: (result: Measured, ours: Measured) => string,
): void {
  console.log(`| flags with | ${titles.join(" | ")} |\n| --- |${titles.map(() => " ---: |").join("")}`)
  for (const { name: workload } of workloads) {
    const ours = resultOf(measured, "flagstone", workload)
    const cells = names.map((name) => {
      const result = resultOf(measured, name, workload)
      return result === undefined ? "–" : cell(result, ours ?? result)
    })
    console.log(`| ${workload} | ${cells.join(" | ")} |`)
  }
}

/** `undefined` if the SDK cannot express these flags. */
function resultOf(
  measured: ReadonlyMap<string, readonly Measured[]>,
  name: string,
  workload: string,
): Measured | undefined {
  return measured.get(name)?.find((result) => result.workload === workload)
}

/** The peers are not our dependencies, not even for development: they are installed into a folder only for this run. */
function installPeers(): string {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-peers-"))
  writeFileSync(join(folder, "package.json"), '{ "private": true }')
  const packages = Object.entries(peerPackages).map(([name, version]) => `${name}@${version}`)
  console.error(`installing ${packages.join(", ")} into ${folder}`)
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder, stdio: "ignore" })
  return folder
}
