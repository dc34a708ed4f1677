import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "./pages.ts"

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
