import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A git repository in a temporary folder, deaf to the configuration of who runs the tests. */
export interface TestRepository {
  readonly folder: string
  readonly git: (...args: readonly string[]) => string
  /** Writes a file of the work tree, with its folders. */
  readonly write: (path: string, text: string) => void
  readonly remove: (path: string) => void
  readonly move: (from: string, to: string) => void
  /** Commits all there is in the work tree with a committer date of `at` seconds after 2020, in UTC. */
  readonly commit: (at: number) => void
}

const epoch = Date.UTC(2020, 0, 1) / 1000

/** The timestamp that a snapshot has for `at` seconds after 2020. */
export const time = (at: number) => new Date((epoch + at) * 1000).toISOString()

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_AUTHOR_DATE: "@1000000000 +0200",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
}

export function createRepository(...initOptions: readonly string[]): TestRepository {
  const repository = openRepository(mkdtempSync(join(tmpdir(), "flagstone-repository-")))
  repository.git("init", "-q", "-b", "main", ...initOptions)
  return repository
}

/** The same for a folder that is a repository already, or will be one. */
export function openRepository(folder: string): TestRepository {
  const run = (args: readonly string[], extra = {}) =>
    execFileSync("git", args, { cwd: folder, env: { ...env, ...extra }, encoding: "utf8", stdio: "pipe" })
  const at = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    return join(folder, path)
  }
  return {
    folder,
    git: (...args) => run(args),
    write: (path, text) => writeFileSync(at(path), text),
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    move: (from, to) => renameSync(join(folder, from), at(to)),
    commit: (seconds) => {
      run(["add", "-A"])
      const date = { GIT_COMMITTER_DATE: `@${epoch + seconds} -0700` }
      run(["commit", "-q", "--allow-empty", "-m", `at ${seconds}`], date)
    },
  }
}
