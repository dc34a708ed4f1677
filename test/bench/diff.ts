import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

// What `flagstone diff` of two commits costs, compared with a `flagstone build` of the second. There are
// 10,000 flags in 20 folders; 50 files change (40 edited, 5 added, 5 removed). Whole processes, interleaved.

const cli = resolve(import.meta.dirname, "../../cli/flagstone.js")
const flags = 10_000
const rounds = 5

const repository = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: repository })

function write(number: number, share: number): void {
  const folder = join(repository, "flags", `area-${number % 20}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `flag-${number}.yaml`),
    `name: Flag ${number}
description: What flag ${number} is for, in a sentence of some length.
defaultValue: false
owner: team-${number % 7}
environments:
  staging: { enabled: true, rules: [{ operator: always, returnValue: true }] }
  production:
    enabled: true
    rules:
      - attribute: email
        operator: endsWith
        value: "@shop.example"
        returnValue: true
      - attribute: customerId
        operator: percentage
        value: "${share}"
        returnValue: true
`,
  )
}

git("init", "-q")
for (let number = 0; number < flags; number++) write(number, 10)
writeFileSync(
  join(repository, "flags/project.yaml"),
  "project: shop\nenvironments: [staging, production]\nprotected: [production]\n",
)
git("add", "-A")
git("commit", "-q", "-m", "base")
for (let number = 0; number < 40; number++) write(number * 101, 25)
for (let number = 0; number < 5; number++) {
  write(flags + number, 50)
  rmSync(join(repository, "flags", `area-${number + 7}`, `flag-${number + 7}.yaml`))
}
git("add", "-A")
git("commit", "-q", "-m", "head")

function time(...args: readonly string[]): number {
  const start = performance.now()
  execFileSync(process.execPath, [cli, ...args], {
    cwd: repository,
    stdio: ["ignore", "ignore", "inherit"],
    maxBuffer: 2 ** 30,
  })
  return performance.now() - start
}

function build(): number {
  rmSync(join(repository, "dist"), { recursive: true, force: true })
  return time("build")
}

const cases = {
  build,
  "diff HEAD^ HEAD": () => time("diff", "HEAD^", "HEAD"),
  "diff HEAD^ (the work tree)": () => time("diff", "HEAD^"),
  "--version (the floor)": () => time("--version"),
}
const times = new Map(Object.keys(cases).map((name) => [name, [] as number[]]))
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(cases)) times.get(name)?.push(run())
}
const median = (name: string) => times.get(name)?.toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN
for (const name of Object.keys(cases)) {
  console.log(
    `${name}: ${median(name).toFixed(0)} ms, ${(median(name) / median("build")).toFixed(2)} × build`,
  )
}
rmSync(repository, { recursive: true })
