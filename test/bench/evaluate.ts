import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Measured } from "./evaluate-one.ts"
import { peerPackages, sdks } from "./evaluate-sdks.ts"
import { workloads } from "./evaluate-workloads.ts"

// Evaluations a second and bytes allocated, of Flagstone's evaluator and of other SDKs with the same flags: 1,000 flags,
// 100 contexts, every pair in shuffled order. `--peers <folder>` takes packages that are installed there already;
// `--only <name>` measures one SDK.

const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? ""
const isGiven = (name: string) => process.argv.includes(name)

const folder = isGiven("--peers") ? option("--peers") : installPeers()
const names = Object.keys(sdks).filter((name) => !isGiven("--only") || name === option("--only"))
const passes = 2
const measured = new Map<string, Measured[]>()
for (let pass = 0; pass < passes; pass++)
  for (const name of names) {
    const script = join(import.meta.dirname, "evaluate-one.ts")
    const flags = ["--expose-gc", "--max-semi-space-size=256", "--min-semi-space-size=256"]
    const output = execFileSync(process.execPath, [...flags, script, name, folder], { encoding: "utf8" })
    const results: Measured[] = JSON.parse(output)
    measured.set(name, better(measured.get(name), results))
  }
if (!isGiven("--peers")) rmSync(folder, { recursive: true })

check()
const ours = measured.get("flagstone") ?? []
const versions = names.map((name) => (name in peerPackages ? `${name} ${peerPackages[name]}` : name))
console.log(`\nEvaluations per second of processor time, Node ${process.version}`)
table(versions, (result) => Math.round(result.perSecond).toLocaleString("en"))
console.log("\nAs many times faster is Flagstone")
table(versions, (result, own) => (own.perSecond / result.perSecond).toFixed(1))
console.log("\nBytes allocated per evaluation")
table(versions, (result) => Math.round(result.bytes).toLocaleString("en"))
console.log("\nAll 1,000 flags at once: milliseconds, and bytes allocated")
table(versions, ({ all }) =>
  all === null ? "–" : `${all.milliseconds.toFixed(3)}, ${Math.round(all.bytes).toLocaleString("en")}`,
)

/** The better of two passes in each number. */
function better(before: Measured[] | undefined, results: Measured[]): Measured[] {
  return results.map((result, index) => {
    const other = before?.[index] ?? result
    const all =
      result.all === null || other.all === null
        ? null
        : {
            milliseconds: Math.min(result.all.milliseconds, other.all.milliseconds),
            bytes: Math.min(result.all.bytes, other.all.bytes),
          }
    return {
      ...result,
      perSecond: Math.max(result.perSecond, other.perSecond),
      bytes: Math.min(result.bytes, other.bytes),
      all,
    }
  })
}

/** Every SDK must have said the same flags: as many pairs are on, shares by different hashes apart. */
function check(): void {
  for (const [index, { name: workload, isComparable }] of workloads.entries())
    for (const name of names) {
      const expected = measured.get("flagstone")?.[index]?.on
      const actual = measured.get(name)?.[index]?.on ?? 0
      const isSame =
        expected === undefined || Math.abs(actual - expected) <= (isComparable ? 0 : expected * 0.05)
      if (!isSame) console.error(`${workload}: ${name} has ${actual} on, flagstone ${expected}`)
    }
}

function table(titles: readonly string[], cell: (result: Measured, ours: Measured) => string): void {
  console.log(`| flags with | ${titles.join(" | ")} |\n| --- |${titles.map(() => " ---: |").join("")}`)
  for (const [index, { name: workload }] of workloads.entries()) {
    const cells = names.map((name) => {
      const result = measured.get(name)?.[index]
      return result === undefined ? "" : cell(result, ours[index] ?? result)
    })
    console.log(`| ${workload} | ${cells.join(" | ")} |`)
  }
}

/** The peers are no dependencies of ours, not even for development: they come into a folder of this run alone. */
function installPeers(): string {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-peers-"))
  writeFileSync(join(folder, "package.json"), '{ "private": true }')
  const packages = Object.entries(peerPackages).map(([name, version]) => `${name}@${version}`)
  console.error(`installing ${packages.join(", ")} into ${folder}`)
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder, stdio: "ignore" })
  return folder
}
