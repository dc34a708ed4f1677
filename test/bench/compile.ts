import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  flagText,
  flagWithSegment,
  makeFlagsRepository,
  pathOf,
  type Size,
  shapes,
  styles,
} from "./flags-repository.ts"
import { pack } from "./packed.ts"
import { type Contender, type Cost, createRun, measure, printHead, printRow } from "./process-cost.ts"

// How long a build takes, against a floor in the same run: one process that reads every flag file and parses it once
// with the yaml package. Whole processes are measured, Node's start included, in interleaved rounds; medians count.
// CPU time counts the process and the git processes that it starts: on a busy machine it says more than time.
// `npm run bench:compile -- changes styles shapes sizes segments` runs some parts only.

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
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: folder,
    stdio: "pipe",
  })

function make(name: string, size: Size): string {
  const folder = join(work, name.replaceAll(/\W+/g, "-"))
  makeFlagsRepository(folder, size)
  return folder
}

const floor = (folder: string): Contender => ({
  name: "floor: read and parse every file once",
  run: () => run(folder, [floorProgram]),
})
const cold = (folder: string): Contender => ({
  name: "build, cold (no cache)",
  run: () => run(folder, [flagstone, "build", "--no-cache"]),
})

/** Compares all with the first, which is the floor. */
function compare(title: string, contenders: readonly Contender[]): void {
  const costs = measure(contenders, rounds)
  printHead(title)
  for (const [at, cost] of costs.entries()) printRow(contenders[at]?.name ?? "", cost, costs[0] as Cost)
}

/** Compares cold builds of repositories with each other, and each with its own floor. */
function compareCold(title: string, folders: ReadonlyMap<string, string>): void {
  const costs = measure(
    [...folders.values()].flatMap((folder) => [floor(folder), cold(folder)]),
    rounds,
  )
  printHead(title)
  const colds = costs.filter((_, at) => at % 2 === 1)
  for (const [at, name] of [...folders.keys()].entries())
    printRow(name, colds[at] as Cost, costs[2 * at] as Cost)
  const spread = (values: readonly number[]) => (Math.max(...values) / Math.min(...values)).toFixed(2)
  const [time, cpu] = [spread(colds.map(({ ms }) => ms)), spread(colds.map(({ cpu }) => cpu))]
  console.log(`slowest / fastest: ${time} in time, ${cpu} in CPU`)
}

function compareChanges(): void {
  const main = make("main", { flags: 10_000, commits: 300, edits: 20 })
  const edited = join(work, "edited")
  git(main, "clone", "-q", main, edited)
  const head = git(edited, "rev-parse", "HEAD").toString().trim()
  let revision = 1000
  run(main, [flagstone, "build"])
  compare("10,000 flags, 3 environments, 300 commits", [
    floor(main),
    cold(main),
    { name: "build, nothing changed", run: () => run(main, [flagstone, "build"]) },
    {
      name: "build, one flag committed",
      run: () => {
        git(edited, "reset", "-q", "--hard", head)
        run(edited, [flagstone, "build"])
        writeFileSync(join(edited, pathOf(7)), flagText(7, revision++))
        git(edited, "commit", "-q", "-a", "-m", "x")
        return run(edited, [flagstone, "build"])
      },
    },
  ])
}

function compareStyles(): void {
  const folders = Object.entries(styles).map(([name, text]): [string, string] => {
    return [name, make(name, { flags: 10_000, commits: 300, edits: 20, text })]
  })
  compareCold("10,000 flags, 300 commits, cold, by style", new Map(folders))
  const documents = folders.map(([, folder]) => readFileSync(join(folder, "dist/production.json"), "utf8"))
  if (new Set(documents).size > 1) throw new Error("the flags are not the same in every style")
}

function compareShapes(): void {
  const folders = Object.entries(shapes).map(([name, text]): [string, string] => {
    const flags = name === "200 rules" ? 500 : 5000
    const edits = 10 // as many old versions of each flag as in the other parts
    return [`${flags} flags, ${name}`, make(name, { flags, commits: (0.6 * flags) / edits, edits, text })]
  })
  compareCold("Other flags, cold, by shape", new Map(folders))
}

function compareSizes(): void {
  for (const flags of [1000, 20_000]) {
    const folder = make(`flags-${flags}`, { flags, commits: 300, edits: 20 })
    compare(`${flags} flags, 300 commits`, [floor(folder), cold(folder)])
  }
  const long = make("long", { flags: 10_000, commits: 20_000, edits: 1 })
  compare("10,000 flags, 20,000 commits", [floor(long), cold(long)])
}

/** 3,000 of 10,000 flags use one of 20 segments, each of which changes 30 times; compared with the same flags without segments. */
function compareSegments(): void {
  const size = { flags: 10_000, commits: 300, edits: 20 }
  const segments = { count: 20, edits: 2 }
  const none = make("no segments", size)
  const unused = make("segments that no flag uses", { ...size, segments })
  const used = make("segments", { ...size, segments, text: flagWithSegment })
  compareCold(
    "10,000 flags, 300 commits, cold, by segments",
    new Map([
      ["no segments", none],
      ["20 segments, each changed 30 times, that no flag uses", unused],
      ["the same segments, 3,000 flags use them", used],
    ]),
  )
}

const parts = new Map([
  ["changes", compareChanges],
  ["styles", compareStyles],
  ["shapes", compareShapes],
  ["sizes", compareSizes],
  ["segments", compareSegments],
])

try {
  console.log(`Node ${process.version}, ${rounds} interleaved rounds, medians of whole processes`)
  const wanted = process.argv.filter((name) => parts.has(name))
  for (const name of wanted.length > 0 ? wanted : parts.keys()) parts.get(name)?.()
} finally {
  rmSync(work, { recursive: true, force: true })
}
