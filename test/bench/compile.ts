import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeFlagsRepository, type Size } from "./flags-repository.ts"
import { pack } from "./packed.ts"
import { type Contender, type Cost, createRun, measure, printHead, printRow } from "./process-cost.ts"

// How long a build takes, against a floor in the same run: one process that reads every flag file and parses it once
// with the yaml package. Whole processes are measured, Node's start included, in interleaved rounds; medians count.
// CPU time counts the process and the git processes that it starts: on a busy machine it says more than time.
// `npm run bench:compile -- usual` runs the first part only.

const work = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const rounds = 5
const run = createRun(work)

const floorProgram = join(work, "floor.mjs")
writeFileSync(
  floorProgram,
  `import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseDocument } from ${JSON.stringify(import.meta.resolve("yaml"))}
for (const entry of readdirSync("flags", { recursive: true, withFileTypes: true }))
  if (entry.isFile()) parseDocument(readFileSync(join(entry.parentPath, entry.name), "utf8")).toJS()
`,
)

const flagstone = pack(work)
function make(name: string, size: Size): string {
  const folder = join(work, name.replaceAll(/\W+/g, "-"))
  makeFlagsRepository(folder, size)
  return folder
}

const floor = (folder: string): Contender => ({
  name: "floor: read and parse every file once",
  run: () => run(folder, [floorProgram]),
})
const build = (folder: string): Contender => ({
  name: "build",
  run: () => run(folder, [flagstone, "build"]),
})

/** Compares all with the first, which is the floor. */
function compare(title: string, contenders: readonly Contender[]): void {
  const costs = measure(contenders, rounds)
  printHead(title)
  for (const [at, cost] of costs.entries()) printRow(contenders[at]?.name ?? "", cost, costs[0] as Cost)
}

function compareUsual(): void {
  const main = make("main", { flags: 10_000, commits: 300, edits: 20 })
  compare("10,000 flags, 3 environments, 300 commits", [floor(main), build(main)])
}

function compareSizes(): void {
  for (const flags of [1000, 20_000]) {
    const folder = make(`flags-${flags}`, { flags, commits: 300, edits: 20 })
    compare(`${flags} flags, 300 commits`, [floor(folder), build(folder)])
  }
  const long = make("long", { flags: 10_000, commits: 20_000, edits: 1 })
  compare("10,000 flags, 20,000 commits", [floor(long), build(long)])
}

const parts = new Map([
  ["usual", compareUsual],
  ["sizes", compareSizes],
])

try {
  console.log(`Node ${process.version}, ${rounds} interleaved rounds, medians of whole processes`)
  const wanted = process.argv.filter((name) => parts.has(name))
  for (const name of wanted.length > 0 ? wanted : parts.keys()) parts.get(name)?.()
} finally {
  rmSync(work, { recursive: true, force: true })
}
