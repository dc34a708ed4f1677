import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cloneProject, commit, git } from "./example-project.ts"
import { root } from "./pages.ts"

const flagstone = join(root, "cli/flagstone.js")

/** How a package manager writes its lock file: the commands, and the variable PATH with its programs. */
interface Lock {
  readonly lock: string
  readonly path: string
}

/** A repository whose package has Flagstone from a folder, as a lock file of a package manager has it. */
export function projectWithLock({ lock, path }: Lock, subfolder = "."): string {
  const cwd = cloneProject("flagstone docs ")
  git(cwd, "rm", "-q", "--cached", "-r", ".")
  const top = join(cwd, subfolder)
  mkdirSync(join(top, "vendor/flagstone"), { recursive: true })
  const stub = { name: "flagstone", version: "1.0.0", bin: { flagstone: "run.cjs" } }
  writeFileSync(join(top, "vendor/flagstone/package.json"), JSON.stringify(stub))
  const run = `spawnSync(process.execPath, [${JSON.stringify(flagstone)}, ...process.argv.slice(2)], { stdio: "inherit" })`
  writeFileSync(
    join(top, "vendor/flagstone/run.cjs"),
    `#!/usr/bin/env node\nconst { spawnSync } = require("node:child_process")\nconsole.error("the project's")\nprocess.exitCode = ${run}.status\n`,
    { mode: 0o755 },
  )
  const manifest = { name: "shop", private: true, devDependencies: { flagstone: "file:./vendor/flagstone" } }
  writeFileSync(join(top, "package.json"), JSON.stringify(manifest))
  spawnSync("rm", ["-rf", "node_modules"], { cwd })
  const env = { ...process.env, PATH: path, CI: "" }
  const installed = spawnSync("bash", ["-ec", lock], { cwd: top, env, encoding: "utf8" })
  if (installed.status !== 0) throw new Error(installed.stdout + installed.stderr)
  spawnSync("rm", ["-rf", join(subfolder, "node_modules")], { cwd })
  commit(cwd, "a project")
  return cwd
}
