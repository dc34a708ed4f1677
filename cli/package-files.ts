import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"

/** The text of a file of Flagstone's own package, by its path in the repository. */
export function readPackageFile(path: string): string {
  return readFileSync(packagePath(path), "utf8")
}

/** The package's version and, after `+`, the commit that it was built from, if its build knew that. */
export function readVersion(): string {
  if (!import.meta.url.endsWith(".ts")) return readPackageFile("build/bin/version.txt")
  return JSON.parse(readPackageFile("package.json")).version
}

/** Cached, because finding it takes as long as loading a file. */
let manifest: string | undefined

/** The path of a file of Flagstone's own package on this machine. */
function packagePath(path: string): string {
  manifest ??= findPackageJSON(import.meta.url)
  if (manifest === undefined)
    throw new Error("Flagstone's package.json is missing: install the package again")
  return join(dirname(manifest), path)
}
