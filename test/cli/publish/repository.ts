import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { run } from "../../../cli/program.ts"
import { showsSecrets } from "../../secrets/record.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"

/** A git repository with flags, and a command line in it. */
export interface TestRepository {
  readonly cwd: string
  /** Writes flag files (their default value, or `undefined` for none), commits, and gives the revision. */
  commit(flags: Readonly<Record<string, boolean | undefined>>, committedAt?: string): string
  flagstone(args: readonly string[], options?: TestHostOptions): Promise<Outcome>
}

export interface Outcome {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** Its project has two environments; in `staging` a flag is on when its default value is true. */
export function createRepository(project = "shop"): TestRepository {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-publish-"))
  const git = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...env },
    })
  git(["init", "-q"])
  mkdirSync(join(cwd, "flags"))
  writeFileSync(join(cwd, "flags/project.yaml"), `project: ${project}\nenvironments: [staging, production]\n`)
  return {
    cwd,
    commit(flags, committedAt = "2026-11-21T09:00:00Z") {
      for (const [key, value] of Object.entries(flags)) {
        const file = join(cwd, "flags", `${key}.yaml`)
        mkdirSync(dirname(file), { recursive: true })
        if (value === undefined) rmSync(file, { force: true })
        else
          writeFileSync(
            file,
            `key: ${key}\ndefaultValue: false\nenvironments:\n  staging: { enabled: ${value} }\n`,
          )
      }
      git(["add", "-A"])
      git(["commit", "-q", "--allow-empty", "-m", "flags"], { GIT_COMMITTER_DATE: committedAt })
      return git(["rev-parse", "HEAD"]).trim()
    },
    async flagstone(args, options = {}) {
      const host = testHost({ cwd, showsSecrets: showsSecrets(args), ...options })
      const status = await run(args, host, "1.2.3")
      return { status, out: host.out(), err: host.err() }
    },
  }
}
