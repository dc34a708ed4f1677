import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")

/** What `npm pack ./sdk` made, installed into an empty project together with other packages. */
export interface Installed {
  readonly folder: string
  /** Bytes of the tarball. */
  readonly size: number
  /** The names of all packages that the project has now. */
  readonly packages: readonly string[]
}

/** Makes the package and installs it with npm; `packages` are installed as an application would beside it. */
export function installPacked(...packages: readonly string[]): Installed {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-sdk-"))
  const npm = (...args: readonly string[]) =>
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  const [packed] = JSON.parse(npm("pack", join(root, "sdk"), "--json"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  npm("install", "--prefer-offline", join(folder, packed.filename), ...packages)
  const { dependencies } = JSON.parse(npm("ls", "--all", "--json"))
  return { folder, size: packed.size, packages: [...new Set(namesIn(dependencies))].sort() }
}

interface Dependencies {
  readonly [name: string]: { readonly dependencies?: Dependencies }
}

function namesIn(dependencies: Dependencies = {}): readonly string[] {
  return Object.entries(dependencies).flatMap(([name, { dependencies }]) => [name, ...namesIn(dependencies)])
}
