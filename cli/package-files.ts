import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { dirname, join } from "node:path"

/** The text of a file of Flagstone's own package, by its path in the repository. */
export function readPackageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url)
  if (manifest === undefined)
    throw new Error("Flagstone's package.json is missing: install the package again")
  return readFileSync(join(dirname(manifest), path), "utf8")
}
