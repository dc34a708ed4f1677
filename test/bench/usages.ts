import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { seeded } from "../seeded.ts"

// What `usages` takes for a tree of 200 MB, as a whole command, compared with `rg -F -f` with the same keys and, if
// it is installed, ld-find-code-refs: `npm run bench:usages`. Each of five kinds of trees, with 10 and with 10,000 flags.
const megabytes = 200
const rounds = 3
const flagCounts = [10, 10_000]
const cli = resolve(import.meta.dirname, "../../cli/flagstone.js")

interface Kind {
  readonly name: string
  /** Bytes of a file. */
  readonly size: number
  readonly line: (random: () => number) => string
}

const words =
  "cart order price total user session request response handler value item list index count".split(" ")
const pick = (random: () => number) => words[Math.floor(random() * words.length)] ?? ""
const call = (random: () => number) =>
  `const ${pick(random)}${Math.floor(random() * 1e6)} = ${pick(random)}.${pick(random)}("${pick(random)}-${pick(random)}", '${pick(random)}') // ${pick(random)}`
const kinds: readonly Kind[] = [
  { name: "usual files, 10 kB", size: 10_000, line: (random) => `  ${call(random)}\n` },
  { name: "small files, 2 kB", size: 2_000, line: (random) => `  ${call(random)}\n` },
  { name: "large files, 900 kB", size: 900_000, line: (random) => `  ${call(random)}\n` },
  {
    name: "minified, one line of 900 kB",
    size: 900_000,
    line: (random) => `${call(random).replaceAll(" ", "")};`,
  },
  {
    name: "not ASCII, 10 kB",
    size: 10_000,
    line: (random) => `  ${call(random)} Größe: 価格 ${pick(random)}\n`,
  },
]

/** A tree of that kind below `src`. One file in twenty uses one of ten flags. */
function makeTree({ size, line }: Kind, folder: string): void {
  const random = seeded(size)
  const files = Math.round((megabytes * 1e6) / size)
  let lines: string[] = []
  for (let at = 0; at < files; at++) {
    if (at % 50 === 0) lines = linesOf(size, line, random) // generating different text for each file would take minutes
    const key = `flag-${Math.floor(random() * 10)}`
    const use = at % 20 === 0 ? `if (await flags.getBooleanValue("${key}", false)) show()` : "show()"
    mkdirSync(join(folder, `src/${at % 300}`), { recursive: true })
    writeFileSync(join(folder, `src/${at % 300}/file-${at}.ts`), [...lines.slice(1), use].join(""))
  }
}

function linesOf(size: number, line: Kind["line"], random: () => number): string[] {
  const lines: string[] = []
  for (let bytes = 0; bytes < size; bytes += Buffer.byteLength(lines.at(-1) ?? "")) lines.push(line(random))
  return lines
}

/** A project with this many flags, outside the tree, because flags often have their own repository. */
function makeFlags(count: number, folder: string): void {
  mkdirSync(join(folder, "flags"), { recursive: true })
  writeFileSync(join(folder, "flags/project.yaml"), "project: shop\nenvironments: [production]\n")
  const text =
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ operator: always, returnValue: true }] }\n"
  for (let at = 0; at < count; at++) writeFileSync(join(folder, `flags/flag-${at}.yaml`), text)
  writeFileSync(join(folder, "keys"), Array.from({ length: count }, (_, at) => `flag-${at}\n`).join(""))
}

/** The median of some runs, in milliseconds; the first of them warms the page cache and does not count. */
function timeOf(command: string, args: readonly string[], cwd: string): string {
  const times = Array.from({ length: rounds + 1 }, () => {
    const start = performance.now()
    const { status, stderr } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] })
    if (status !== 0 && status !== 1) throw new Error(`${command} failed: ${stderr}`)
    return performance.now() - start
  }).slice(1)
  const sorted = times.toSorted((a, b) => a - b)
  return `${sorted[rounds >> 1]?.toFixed(0)} (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`
}

const isThere = (command: string, args: readonly string[]) => spawnSync(command, args).error === undefined
const others = [
  {
    name: "rg -F -f",
    isThere: isThere("rg", ["--version"]),
    run: (keys: string, tree: string) => timeOf("rg", ["-F", "-f", keys, "--count", "src"], tree),
  },
]

const folder = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
for (const count of flagCounts) makeFlags(count, join(folder, `flags-${count}`))
console.log(`ms: median (from to) of ${rounds} | ${flagCounts.map((count) => `${count} flags`).join(" | ")}`)
for (const kind of kinds) {
  const tree = join(folder, "tree")
  mkdirSync(tree)
  makeTree(kind, tree)
  for (const args of [
    ["init", "-q"],
    ["add", "."],
  ])
    execFileSync("git", args, { cwd: tree })
  const usages = flagCounts.map((count) => {
    const flags = join(folder, `flags-${count}`, "flags")
    return timeOf(
      process.execPath,
      [cli, "usages", "--flags", flags, "--code", ".", "--format", "json"],
      tree,
    )
  })
  console.log(`${kind.name}: usages | ${usages.join(" | ")}`)
  for (const other of others.filter((one) => one.isThere)) {
    const times = flagCounts.map((count) => other.run(join(folder, `flags-${count}`, "keys"), tree))
    console.log(`${kind.name}: ${other.name} | ${times.join(" | ")}`)
  }
  rmSync(tree, { recursive: true })
}
