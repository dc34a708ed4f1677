import { execFile, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { environment } from "./example-project.ts"
import { root } from "./pages.ts"

/** Whether a program is installed; if not, the run says which test is skipped. */
export function isInstalled(program: string, test: string): boolean {
  const found = spawnSync(program, ["--version"]).error === undefined
  if (!found) console.warn(`SKIPPED: ${test}, because ${program} is not installed`)
  return found
}

/** The folder of the programs of a package of npm. `undefined`, which the run says: npm cannot install it. */
export function provide(version: string): string | undefined {
  const prefix = join(tmpdir(), "flagstone-package-managers", version.replace(/\W/g, "-"))
  const bin = join(prefix, "node_modules/.bin")
  if (existsSync(bin)) return bin
  mkdirSync(prefix, { recursive: true })
  spawnSync("npm", ["install", "--silent", "--no-save", "--prefix", prefix, version], { timeout: 120_000 })
  if (existsSync(bin)) return bin
  console.warn(`SKIPPED: tests with ${version}, because npm cannot install it`)
  return undefined
}

/**
 * Runs a script of a CI job in a clone as the job's runner does, with this repository's Flagstone. Not synchronous: the
 * servers that a script asks may run in this process. With a path among the variables, its tools are real. Returns its
 * output; throws if it fails.
 */
export async function runScript(
  script: string | undefined,
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
  shell: readonly string[] = ["-e"], // GitHub's own, without pipefail
): Promise<string> {
  const PATH = variables.PATH ?? `${fakes(cwd)}:${process.env.PATH}`
  const env = {
    ...environment(),
    GITHUB_STEP_SUMMARY: "/dev/null",
    GITHUB_OUTPUT: "/dev/null",
    ...variables,
    PATH,
  }
  const { stdout, stderr } = await promisify(execFile)("bash", [...shell, "-c", script ?? "exit 9"], {
    cwd,
    env,
  })
  return stdout + stderr
}

/** The folder of the clone that a folder is in. */
function topOf(folder: string): string {
  return existsSync(join(folder, ".git")) ? folder : topOf(dirname(folder))
}

/**
 * Folders for the path. `gh` is a script that records what it is asked for, and answers an address with its member of
 * answers.json, read by the real jq. `npx` and `flagstone` run the Flagstone of this repository, and `npm` does nothing.
 */
function fakes(cwd: string): string {
  const bin = join(topOf(cwd), ".git/bin") // where it makes no build dirty
  mkdirSync(bin, { recursive: true })
  const gh = `echo "$@" >> gh.log
query=.
while shift && [ $# -gt 0 ]
do case "$1" in
  --method | --field) shift ;;
  --jq) query=$2; shift ;;
  repos/*) address=$1 ;;
  esac
done
[ ! -e answers.json ] || jq --arg address "\${address%%[?]*}" '.[$address] // empty' answers.json | jq --raw-output "$query"`
  const flagstone = `exec node "${join(root, "cli/flagstone.js")}" "$@"`
  const npx = `while [ "$1" != flagstone ]; do shift; done\nshift\n${flagstone}`
  for (const [name, text] of Object.entries({ gh, npx, flagstone, npm: "" }))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return `${bin}:${join(root, "node_modules/.bin")}`
}
