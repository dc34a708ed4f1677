import { createRequire } from "node:module"
import { devNull } from "node:os"
import { bareRepositoryAround, refusalOf } from "./bare-repositories.ts"
import { Failure } from "./failure.ts"

/** The result of one git command. */
export interface GitOutput {
  readonly status: number
  /** Empty if `onStdout` took it. */
  readonly stdout: Buffer
  readonly stderr: string
}

/** How one git process is run. */
export interface GitOptions {
  readonly cwd: string
  /** Written to stdin while stdout is read, so that neither side can block the other. */
  readonly input?: string | Uint8Array
  /** Takes stdout chunk by chunk, for output that is too large to hold. If it throws, git is ended and the error is passed on. */
  readonly onStdout?: (chunk: Buffer) => void
}

/**
 * Runs git in a folder. A status other than 0 is an answer, not an exception.
 * Throws `GitMissing` where no git is installed, and `Failure` for a folder that git would take for a bare repository.
 */
export type Git = (args: readonly string[], options: GitOptions) => Promise<GitOutput>

/** No `git` program could be started. */
export class GitMissing extends Failure {}

/** The entries that a command with `-z` prints. Throws `Failure` if it fails. */
export async function gitEntries(git: Git, args: readonly string[], cwd: string): Promise<readonly string[]> {
  const { status, stdout, stderr } = await git(args, { cwd })
  if (status !== 0) throw new Failure(`git ${args[0]} failed: ${stderr.trim()}`)
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "")
}

// The user's and the repository's configuration may change what git prints and, by hooks, monitors and signatures,
// what it runs. Replaced objects would show a history that no one else has. Remotes and their programs stay as they are
// set: a partial clone needs them, and no clone brings settings.
const neutral = [
  "--no-pager",
  "--no-replace-objects",
  "--literal-pathspecs",
  ...["core.quotePath=false", "core.fsmonitor=false", `core.hooksPath=${devNull}`].flatMap((s) => ["-c", s]),
  ...["i18n.logOutputEncoding=UTF-8", "advice.graftFileDeprecated=false"].flatMap((s) => ["-c", s]),
  ...["log.showSignature=false", "log.showRoot=true", "color.ui=false"].flatMap((s) => ["-c", s]),
  ...["gc.auto=0", "maintenance.auto=false"].flatMap((s) => ["-c", s]),
  ...["safe.bareRepository=explicit", "protocol.ext.allow=never"].flatMap((s) => ["-c", s]),
]

/** Why git found no repository: `otherwise`, unless it found one and refuses it, which it says itself. */
export function whyNoRepository({ stderr }: GitOutput, otherwise: string): string {
  const said = stderr.trim()
  const isNone = said === "" || /not a git repository|must be run in a work tree/.test(said)
  return isNone ? otherwise : `git failed: ${said}`
}

/** `check-ignore` takes paths and refuses `--literal-pathspecs`. */
const optionsFor = ([command]: readonly string[]): readonly string[] =>
  command === "check-ignore" ? neutral.filter((option) => option !== "--literal-pathspecs") : neutral

/**
 * Variables that git sets for its hooks, and others that would select a different repository or change how paths are
 * read: the flags folder alone selects the repository. `GIT_CONFIG_*` stay, because containers set `safe.directory`
 * with them.
 */
const misleading = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_ATTR_SOURCE",
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_GLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_NAMESPACE",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
]

/** Most commands run no git, and `node:child_process` takes 3 ms to load. */
const require = createRequire(import.meta.url)

/** The machine's git without the user's pagers, prompts and translations. `env` is the process's own. */
export function createGit(env: Readonly<Record<string, string | undefined>>): Git {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !misleading.includes(name)))
  const quiet = {
    ...clean,
    GIT_ALLOW_PROTOCOL: clean.GIT_ALLOW_PROTOCOL?.replace(/(?<![^:])ext(?![^:])/g, ""), // it overrides `protocol.ext.allow`
    GIT_GRAFT_FILE: devNull,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  }
  return (args, { cwd, input, onStdout }) =>
    new Promise((resolve, reject) => {
      const bare = bareRepositoryAround(cwd)
      if (bare !== undefined) throw refusalOf(bare)
      const { spawn }: typeof import("node:child_process") = require("node:child_process")
      const child = spawn("git", [...optionsFor(args), ...args], {
        cwd,
        env: quiet,
        stdio: ["pipe", "pipe", "pipe"],
      })
      const stdout: Buffer[] = []
      const stderr: Buffer[] = []
      const take = (chunk: Buffer): void => {
        if (onStdout === undefined) {
          stdout.push(chunk)
          return
        }
        try {
          onStdout(chunk)
        } catch (error) {
          child.stdout.off("data", take)
          child.kill()
          reject(error)
        }
      }
      child.stdout.on("data", take)
      child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk))
      child.stdin.on("error", () => {}) // git may close its stdin before it has read everything; its status says if it failed
      child.on("error", (cause: NodeJS.ErrnoException) =>
        reject(cause.code === "ENOENT" ? new GitMissing("git is not installed", { cause }) : cause),
      )
      child.on("close", (status) =>
        resolve({
          status: status ?? 128,
          stdout: Buffer.concat(stdout),
          stderr: Buffer.concat(stderr).toString("utf8"),
        }),
      )
      child.stdin.end(input)
    })
}
