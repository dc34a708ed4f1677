import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { createGit } from "./git.ts"
import { run } from "./program.ts"

const packageFile = findPackageJSON(import.meta.url)
if (packageFile === undefined)
  throw new Error("Flagstone's package.json is missing: install the package again")

process.exitCode = await run(
  process.argv.slice(2),
  {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    isTerminal: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
    now: Date.now,
    monotonicNow: () => performance.now(),
    random: Math.random,
    randomBytes,
    git: createGit(process.env),
    onSignal: (signal, listener) => {
      process.on(signal, listener)
      return () => process.off(signal, listener)
    },
  },
  JSON.parse(readFileSync(packageFile, "utf8")).version,
)
