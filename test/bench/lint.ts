import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runLint } from "../../cli/commands/lint.ts"
import { createReport } from "../../cli/diagnostics/diagnostic.ts"
import { compile } from "../../cli/project/compile.ts"
import { readInput } from "../../cli/project/input.ts"
import { readProject } from "../../cli/reading/project.ts"
import { testHost } from "../test-host.ts"

// What lint of 10,000 flags costs compared with the build's compile: `npm run bench:lint`. Both in one process, in turn.
const flags = 10_000
const rounds = 5

const cwd = mkdtempSync(join(tmpdir(), "flagstone-bench-"))
for (let folder = 0; folder < flags / 500; folder++) {
  mkdirSync(join(cwd, "flags", `team-${folder}`), { recursive: true })
  for (let flag = 0; flag < 500; flag++) {
    const text = `# yaml-language-server: $schema=../flag.schema.json
name: Flag ${flag} of team ${folder}
description: Shows what a flag of usual size costs.
defaultValue: false
owner: team-${folder}
expires: 2030-01-01
environments:
  development: { enabled: true, rules: [{ operator: always, returnValue: true }] }
  production:
    enabled: true
    rules:
      - attribute: country
        operator: in
        value: [DE, FR, NL]
        returnValue: true
      - attribute: customerId
        operator: percentage
        value: "25"
        returnValue: true
`
    writeFileSync(join(cwd, "flags", `team-${folder}`, `flag-${folder}-${flag}.yaml`), text)
  }
}
writeFileSync(join(cwd, "flags", "project.yaml"), "project: shop\nenvironments: [development, production]\n")
for (const args of [
  ["init", "-q"],
  ["add", "."],
  ["commit", "-q", "-m", "flags"],
])
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd })

const host = testHost({ cwd })
const options = {
  allowShallow: false,
  requireClean: false,
  sourceDateEpoch: undefined,
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const runs: { readonly lint: number; readonly compile: number }[] = []
for (let round = 0; round < rounds; round++) {
  const lint = await timeOf(() => runLint({ flags: "flags", format: "text", maxWarnings: 0 }, host))
  const build = await timeOf(async () => {
    const report = createReport()
    const project = readProject(join(cwd, "flags"), report)
    if (project === undefined) throw new Error("no project")
    await compile(await readInput(project, host.git, report), report, options)
  })
  runs.push({ lint, compile: build })
}
const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const lint = median(runs.map((run) => run.lint))
const build = median(runs.map((run) => run.compile))
console.log(`lint ${lint.toFixed(0)} ms, compile ${build.toFixed(0)} ms, ratio ${(lint / build).toFixed(2)}`)
