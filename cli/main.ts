import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { createGit } from "./git.ts"
import { createHeap } from "./heap.ts"
import { run } from "./program.ts"

const packageFile = findPackageJSON(import.meta.url)
if (packageFile === undefined)
  throw new Error("Flagstone's package.json is missing: install the package again")

// Who reads our output may stop reading: `flagstone lint | head`. The work and its exit status stay the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
  })
}

process.exitCode = await run(
  process.argv.slice(2),
  {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
    runtime: `node ${process.version}`,
    now: Date.now,
    monotonicNow: () => performance.now(),
    random: Math.random,
    randomBytes,
    git: createGit(process.env),
    heap: createHeap(Number.parseInt(process.versions.node, 10), (task) => process.nextTick(task)),
    onSignal: (signal, listener) => {
      process.on(signal, listener)
      return () => process.off(signal, listener)
    },
  },
  JSON.parse(readFileSync(packageFile, "utf8")).version,
)
