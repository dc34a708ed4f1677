import { join } from "node:path"
import { root } from "./pages.ts"
import { provide } from "./runner.ts"

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
  const bin = from === undefined ? "" : provide(from)
  if (bin === undefined) return []
  const path = [bin, join(root, "node_modules/.bin"), process.env.PATH].filter(Boolean).join(":")
  return [{ name, lock, path }]
})
