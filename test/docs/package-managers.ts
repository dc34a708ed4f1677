import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cloneProject, commit, git } from "./example-project.ts"
import { root } from "./pages.ts"

const flagstone = join(root, "cli/flagstone.js")

/** A repository whose package has Flagstone from a folder, as a lock file of a package manager has it. */
export function projectOf({ lock, path }: Pick<PackageManager, "lock" | "path">, subfolder = "."): string {
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

interface PackageManager {
  readonly name: string
  /** The commands that write its lock file. */
  readonly lock: string
  /** The variable PATH with its programs. */
  readonly path: string
}

/** Those that can be installed: npm is here already, and a package has each of the others. */
export const managers: readonly PackageManager[] = [
  { name: "npm", lock: "npm install --package-lock-only --offline" },
  { name: "pnpm", lock: "pnpm install --offline", from: "pnpm@12.21.0" },
  { name: "Yarn 1", lock: "yarn install --offline", from: "yarn@1.22.22" },
  ...["pnp", "node-modules"].map((linker) => ({
    name: `Yarn 4 with ${linker}`,
    lock: `printf 'enableTelemetry: false\nnodeLinker: ${linker}\n' > .yarnrc.yml && touch yarn.lock && yarn install`,
    from: "@yarnpkg/cli-dist@4.12.0",
  })),
].flatMap(({ name, lock, from }) => {
  const bin = provide(from)
  if (bin === undefined) return []
  const path = [bin, join(root, "node_modules/.bin"), process.env.PATH].filter(Boolean).join(":")
  return [{ name, lock, path }]
})

/** The folder of a package's programs. `undefined`, which the run says: npm cannot install it. */
function provide(version: string | undefined): string | undefined {
  if (version === undefined) return ""
  const prefix = join(tmpdir(), "flagstone-package-managers", version.replace(/\W/g, "-"))
  const bin = join(prefix, "node_modules/.bin")
  if (existsSync(bin)) return bin
  mkdirSync(prefix, { recursive: true })
  spawnSync("npm", ["install", "--silent", "--no-save", "--prefix", prefix, version], { timeout: 120_000 })
  if (existsSync(bin)) return bin
  console.warn(`SKIPPED: CI with ${version}, because npm cannot install it`)
  return undefined
}
