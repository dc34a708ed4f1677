import { spawn } from "node:child_process"

/** What one git process left behind. */
export interface GitOutput {
  readonly status: number
  readonly stdout: Buffer
  readonly stderr: string
}

/**
 * Runs git in a folder, with `input` on its stdin. A status other than 0 is an answer, not an exception.
 * Throws `GitMissing` where no git is installed.
 */
export type Git = (
  args: readonly string[],
  options: { readonly cwd: string; readonly input?: string | Uint8Array },
) => Promise<GitOutput>

/** No `git` program could be started. */
export class GitMissing extends Error {
  override readonly name = "GitMissing"
}

// The user's configuration may change what git prints and, through hooks and monitors, what it runs.
const neutral = [
  "--no-pager",
  "-c",
  "core.quotePath=false",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "log.showSignature=false",
]

/** The git of the machine, deaf to the user's pagers, prompts and translations. `env` is the process's own. */
export function createGit(env: Readonly<Record<string, string | undefined>>): Git {
  const quiet = { ...env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" }
  return (args, { cwd, input }) =>
    new Promise((resolve, reject) => {
      const child = spawn("git", [...neutral, ...args], { cwd, env: quiet, stdio: ["pipe", "pipe", "pipe"] })
      const stdout: Buffer[] = []
      const stderr: Buffer[] = []
      child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk))
      child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk))
      child.stdin.on("error", () => {}) // git may close its stdin before it has read all; its status tells
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
