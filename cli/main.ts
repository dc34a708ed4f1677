import { createGit } from "./git.ts"
import { readVersion } from "./package-files.ts"
import { run } from "./program.ts"

// The reader of our output may stop reading: `flagstone lint | head`. That changes neither the work nor the exit status. Output
// that a full disk loses does: the command ends with 2.
let isLost = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return
    if (!isLost && stream === process.stdout)
      process.stderr.write(`flagstone: the output cannot be written: ${error.message}\n`)
    isLost = true
  })
}

const status = await run(
  process.argv.slice(2),
  {
    cwd: process.cwd(),
    env: process.env,
    get stdin() {
      return process.stdin // few commands read it, and it takes milliseconds to create
    },
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: {
      get stdin() {
        return process.stdin.isTTY === true
      },
      stdout: process.stdout.isTTY === true,
      stderr: process.stderr.isTTY === true,
    },
    pid: process.pid,
    isRunning,
    now: Date.now,
    monotonicNow: () => performance.now(),
    random: Math.random,
    randomBytes: (size) => process.getBuiltinModule("node:crypto").randomBytes(size), // few commands load it
    git: createGit(process.env),
    onSignal: (signal, listener) => {
      process.on(signal, listener)
      return () => process.off(signal, listener)
    },
    exitWithin: (milliseconds) => void setTimeout(exit, milliseconds).unref(),
  },
  readVersion(),
)
await new Promise(setImmediate) // a failed write is told later
process.exitCode = isLost ? 2 : status

/** Node waits for system calls when it exits, and a call to a file system that hangs never ends. */
function exit(isOverdue = false): void {
  const waits = process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))
  if (!waits) process.exit()
  if (isOverdue) process.kill(process.pid, "SIGKILL")
  else setTimeout(exit, 500, true)
}

/** Signal 0 only checks. EPERM: the process runs, but belongs to a different user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
