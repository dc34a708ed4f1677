import { spawn, spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { onTestFinished } from "vitest"
import { inTime } from "../in-time.ts"

// The real command line in real processes.

/** The repository's folder. */
export const root = resolve(import.meta.dirname, "../..")
const cli = join(root, "cli/flagstone.js")

/** Runs a command to its end. */
export function runProcess(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  })
  return { status, stdout, stderr }
}

/** Starts a command that runs until the test is finished. */
export function startProcess(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const exited = new Promise<number | null>((done) => child.once("exit", done))
  let printed = ""
  child.stdout.on("data", (text) => {
    printed += text
  })
  let said = ""
  child.stderr.on("data", (text) => {
    said += text
  })
  return {
    child,
    exited,
    /** The next line of stdout that matches. */
    line: lineReader(child.stdout, () => printed + said),
    /** The next line of stderr that matches. */
    said: lineReader(child.stderr, () => printed + said),
    /** All of stdout so far. */
    out: () => printed,
    /** All of stderr so far. */
    err: () => said,
  }
}

function lineReader(stream: Readable, state: () => string): (pattern: RegExp) => Promise<string> {
  const lines = createInterface(stream)[Symbol.asyncIterator]()
  const read = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`it ended before it printed ${pattern}`)
      if (pattern.test(value)) return value
    }
  }
  return (pattern) => inTime(read(pattern), `a line matches ${pattern}`, state)
}
