import { execFile, execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { environment, git } from "../docs/example-project.ts"
import { root } from "../docs/pages.ts"

const programs = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", "forge")

/** Installs act into the cache folder if it is missing. If that is not possible, the run says that it skips its tests. */
export function hasAct(): boolean {
  if (existsSync(join(programs, "act"))) return true
  try {
    const env = { ...process.env, GOBIN: programs, GOFLAGS: "" }
    execFileSync("go", ["install", "github.com/nektos/act@v0.2.89"], { env })
    return true
  } catch (error) {
    console.warn(`SKIPPED: the workflows in act, which cannot be installed: ${(error as Error).message}`)
    return false
  }
}

/** The commit at which callers use Flagstone's workflows. */
export const commit = "8ad20d150bbac5944a9f9d289da16a4b0d87c1e4"

const standIns = join(import.meta.dirname, "stand-ins")

/**
 * Where act finds the actions: stand-ins for those of others, and this repository as it is checked out, without the tests,
 * because act copies it for each step. act does not know `$/`, a called workflow's own repository.
 */
function repositories(): readonly string[] {
  const ours = mkdtempSync(join(tmpdir(), "flagstone-action-"))
  const pins = new Map([["acme/flagstone", { ref: commit, folder: ours }]])
  for (const path of git(root, "ls-files", "-z", ":!test").split("\0").filter(Boolean)) {
    cpSync(join(root, path), join(ours, path), { verbatimSymlinks: true })
    if (!/^(\.github\/workflows\/flags.*|action)\.ya?ml$/.test(path)) continue
    const text = readFileSync(join(root, path), "utf8")
    for (const [, name = "", ref = ""] of text.matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\w+)/g))
      pins.set(name, { ref, folder: join(standIns, name) })
    writeFileSync(
      join(ours, path),
      text
        .replaceAll("uses: $/", "uses: acme/flagstone/")
        .replaceAll(/(flagstone\/\.github\/action)$/gm, `$1@${commit}`),
    )
  }
  return [...pins].map(([name, { ref, folder }]) => `--local-repository=${name}@${ref}=${folder}`)
}

let found: readonly string[] | undefined

/** What act runs: a workflow of a clone, which is at the commit of the event, with options of act and variables for all steps. */
export interface Run {
  readonly cwd: string
  readonly workflow: string
  readonly event: string
  readonly payload: object
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** How each job ended that was not skipped, and what its steps printed, the summaries too. */
export interface Ran {
  readonly jobs: Readonly<Record<string, string>>
  readonly printed: string
}

/** Runs a workflow for an event with act, without containers: the steps run on this machine. */
export async function runWithAct({ cwd, workflow, event, payload, options, env }: Run): Promise<Ran> {
  found ??= repositories()
  const folder = mkdtempSync(join(tmpdir(), "flagstone-act-"))
  const eventPath = join(folder, "event.json")
  writeFileSync(eventPath, JSON.stringify(payload))
  const variables = Object.entries({ FORGE_ARTIFACTS: join(folder, "artifacts"), ...env })
  const args = [
    ...[event, "--json", "--directory", cwd, "--workflows", join(cwd, ".github/workflows", workflow)],
    ...["--platform", "ubuntu-latest=-self-hosted", "--container-daemon-socket", "-", "--no-skip-checkout"],
    ...["--no-cache-server", "--action-cache-path", folder, "--eventpath", eventPath, "--actor", "ann"],
    ...[...found, ...options, ...variables.map(([name, value]) => `--env=${name}=${value}`)],
  ]
  const { PATH, ...machine } = environment()
  const own = { PATH: `${join(standIns, "bin")}:${PATH}`, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder }
  const output = await new Promise<string>((done) => {
    const more = { cwd, env: { ...machine, ...own }, maxBuffer: 1 << 26 }
    execFile(join(programs, "act"), args, more, (_, stdout, stderr) => done(stdout + stderr))
  })
  const lines = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
  if (lines.length === 0) throw new Error(output)
  return {
    jobs: Object.fromEntries(
      lines.filter(({ jobResult }) => jobResult).map(({ jobID, jobResult }) => [jobID, jobResult]),
    ),
    // Of a summary, of a command, or a line as it is; all else is act's own.
    printed: lines
      .flatMap(({ content, arg, raw_output, msg }) => content ?? arg ?? (raw_output ? msg : []))
      .join("\n"),
  }
}
