import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { run } from "../cli/program.ts"
import { showsSecrets } from "./secrets/record.ts"
import { type TestHostOptions, testHost } from "./test-host.ts"

/** A git repository in a temporary folder, independent of the user's git configuration. */
export interface TestRepository {
  readonly folder: string
  readonly git: (...args: readonly string[]) => string
  /** Writes a file of the work tree, with its folders. */
  readonly write: (path: string, text: string) => void
  readonly remove: (path: string) => void
  readonly move: (from: string, to: string) => void
  /** Commits the whole work tree, dated `at` seconds after 2020, and returns the revision. */
  readonly commit: (at: number) => string
}

/** A repository with a project of two environments, and a command line in it. */
export interface ProjectRepository extends TestRepository {
  /** Writes flags that are on in `staging` where their value is true (`undefined` removes one), and commits. */
  readonly commitFlags: (flags: Readonly<Record<string, boolean | undefined>>) => string
  /** Runs a command in the repository's folder. */
  readonly flagstone: (args: readonly string[], options?: TestHostOptions) => Promise<Outcome>
}

/** What a command printed, and its exit status. */
export interface Outcome {
  readonly status: number
  readonly out: string
  readonly err: string
}

const epoch = Date.UTC(2020, 0, 1) / 1000

/** The timestamp that a snapshot has for `at` seconds after 2020. */
export const time = (at: number) => new Date((epoch + at) * 1000).toISOString()

/** A machine on which git has only a committer configured. */
export const gitEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
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

export function createProjectRepository(project = "shop"): ProjectRepository {
  const repository = createRepository()
  repository.write("flags/project.yaml", `project: ${project}\nenvironments: [staging, production]\n`)
  return {
    ...repository,
    commitFlags(flags) {
      for (const [key, value] of Object.entries(flags)) {
        const file = `flags/${key}.yaml`
        const text = `key: ${key}\ndefaultValue: false\nenvironments:\n  staging: { enabled: ${value} }\n`
        if (value === undefined) repository.remove(file)
        else repository.write(file, text)
      }
      return repository.commit(Date.UTC(2026, 10, 21, 9) / 1000 - epoch)
    },
    async flagstone(args, options = {}) {
      const host = testHost({ cwd: repository.folder, showsSecrets: showsSecrets(args), ...options })
      const status = await run(args, host, "1.2.3")
      return { status, out: host.out(), err: host.err() }
    },
  }
}

/** The same for a folder that is a repository already, or will be one. */
export function openRepository(folder: string): TestRepository {
  const own = { ...gitEnv, GIT_AUTHOR_NAME: folder } // so that no two repositories have a revision in common
  const run = (args: readonly string[], extra = {}) =>
    execFileSync("git", args, { cwd: folder, env: { ...own, ...extra }, encoding: "utf8", stdio: "pipe" })
  const at = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    return join(folder, path)
  }
  return {
    folder,
    git: (...args) => run(args),
    write: (path, text) => writeFileSync(at(path), text),
    remove: (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    move: (from, to) => renameSync(join(folder, from), at(to)),
    commit: (seconds) => {
      run(["add", "-A"])
      const date = { GIT_COMMITTER_DATE: `@${epoch + seconds} -0700` }
      run(["commit", "-q", "--allow-empty", "-m", `at ${seconds}`], date)
      return run(["rev-parse", "HEAD"]).trim()
    },
  }
}
