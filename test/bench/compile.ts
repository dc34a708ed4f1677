import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { environments, flagText, makeFlagsRepository, pathOf } from "./flags-repository.ts"

// How long a build takes, against a floor in the same run: one process that reads every flag file and parses it once
// with the yaml package. Whole processes are measured, Node's start included, in interleaved rounds; medians count.
// `npm run bench:compile -- --peers` measures Featurevisor on the same number of features beside it.

const root = resolve(import.meta.dirname, "../..")
const work = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const rounds = 5

/** Milliseconds and the largest memory, in megabytes, of a process that must succeed. */
function run(cwd: string, args: readonly string[]): { readonly ms: number; readonly mb: number } {
  const program =
    "process.on('exit', () => require('fs').writeSync(3, String(process.resourceUsage().maxRSS)))"
  const preload = join(work, "memory.cjs")
  writeFileSync(preload, program)
  const startedAt = performance.now()
  const { status, stderr, output } = spawnSync(process.execPath, ["--require", preload, ...args], {
    cwd,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  })
  const ms = performance.now() - startedAt
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`)
  return { ms, mb: Number(output[3]) / 1024 }
}

interface Contender {
  readonly name: string
  readonly run: () => { readonly ms: number; readonly mb: number }
}

/** Runs all in turn, `rounds` times, and prints each one's medians and their ratio to the first one's. */
function compare(title: string, contenders: readonly Contender[]): void {
  const results = contenders.map((): { ms: number; mb: number }[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [at, contender] of contenders.entries()) results[at]?.push(contender.run())
  }
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
  const floor = median((results[0] ?? []).map(({ ms }) => ms))
  console.log(`\n${title}\n${"".padEnd(46)}      ms   × floor  peak MB`)
  for (const [at, { name }] of contenders.entries()) {
    const ms = median((results[at] ?? []).map((result) => result.ms))
    const mb = Math.max(...(results[at] ?? []).map((result) => result.mb))
    const columns = [ms.toFixed(0), (ms / floor).toFixed(2), mb.toFixed(0)].map((text) => text.padStart(9))
    console.log(`${name.padEnd(44)} ${columns.join(" ")}`)
  }
}

/** Flagstone as it is published: compiled to JavaScript. */
function pack(): string {
  const folder = join(work, "package")
  mkdirSync(join(folder, "cli"), { recursive: true })
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--outDir", join(folder, "build")], { cwd: root })
  cpSync(join(root, "cli/flagstone.js"), join(folder, "cli/flagstone.js"))
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return join(folder, "cli/flagstone.js")
}

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

const flagstone = pack()
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: folder,
    stdio: "pipe",
  })

function make(name: string, flags: number, commits: number, edits: number): string {
  const folder = join(work, name)
  makeFlagsRepository(folder, { flags, commits, edits })
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

/** Featurevisor 1.11.1 with as many features of the same shape. npm must be able to install it. */
function featurevisor(flags: number): Contender {
  const folder = join(work, "featurevisor")
  for (const part of ["features", "attributes", "segments"])
    mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, "package.json"), "{}")
  const npm = ["install", "--silent", "--no-audit", "--no-fund", "@featurevisor/cli@1.11.1"]
  execFileSync("npm", npm, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
  writeFileSync(
    join(folder, "featurevisor.config.js"),
    `module.exports = { tags: ["all"], environments: ${JSON.stringify(environments)}, prettyState: false }\n`,
  )
  for (const attribute of ["userId", "email", "country"]) {
    writeFileSync(join(folder, `attributes/${attribute}.yml`), "type: string\ndescription: x\n")
  }
  const segment = (name: string, condition: string) =>
    writeFileSync(join(folder, `segments/${name}.yml`), `description: x\nconditions:\n  - ${condition}\n`)
  segment("staff", "{ attribute: email, operator: endsWith, value: '@example.com' }")
  segment("dach", "{ attribute: country, operator: in, value: [DE, AT, CH] }")
  for (let flag = 0; flag < flags; flag++) {
    const rule = (key: string, segments: string, percentage: number) =>
      `      - { key: "${key}", segments: "${segments}", percentage: ${percentage} }\n`
    writeFileSync(
      join(folder, `features/feature-${flag}.yml`),
      `description: Shows feature ${flag} to those who asked for it, and later to all of them.\ntags: [all]\nbucketBy: userId\nenvironments:\n` +
        `  development:\n    rules:\n${rule("1", "*", 100)}` +
        `  staging:\n    rules:\n${rule("1", "staff", 100)}${rule("2", "*", 0)}` +
        `  production:\n    rules:\n${rule("1", "dach", 100)}${rule("2", "*", flag % 101)}`,
    )
  }
  const program = join(folder, "node_modules/.bin/featurevisor")
  return {
    name: "Featurevisor 1.11.1, build",
    run: () => run(folder, [program, "build", "--no-state-files"]),
  }
}

try {
  console.log(`Node ${process.version}, ${rounds} interleaved rounds, medians of whole processes`)

  const main = make("main", 10_000, 300, 20)
  git(main, "clone", "-q", main, join(work, "edited"))
  const edited = join(work, "edited")
  const head = git(edited, "rev-parse", "HEAD").toString().trim()
  let revision = 1000
  const peers = process.argv.includes("--peers") ? [featurevisor(10_000)] : []
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
    ...peers,
  ])

  for (const flags of [1000, 20_000]) {
    const folder = make(`flags-${flags}`, flags, 300, 20)
    compare(`${flags} flags, 300 commits`, [floor(folder), cold(folder)])
  }
  const long = make("long", 10_000, 20_000, 1)
  compare("10,000 flags, 20,000 commits", [floor(long), cold(long)])
} finally {
  rmSync(work, { recursive: true, force: true })
}
