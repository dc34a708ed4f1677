import { realpathSync } from "node:fs"
import { join, sep } from "node:path"
import { findBareRepositories } from "../../bare-repositories.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { nothingOf } from "./read-source.ts"

/**
 * Reports the bare repositories around and below the flags folder, and returns whether there are any: then git must not be
 * started. Throws if the folder cannot be listed.
 */
export function refuseBareRepositories(folder: string, report: Report): boolean {
  const top = realpathSync(folder)
  const found = findBareRepositories(folder)
  for (const repository of found) {
    const isBelow = repository === top || repository.startsWith(top + sep)
    // The repository around the flags may be a real one, which would be lost with the file.
    const fix = isBelow
      ? "Remove the file."
      : "Check the flags out in a folder of their own, such as with `git worktree add`, or remove the file if a branch brought it."
    const message = `Because of this file, git takes its folder for a bare repository, whose settings can name programs to run. ${fix}`
    report.add({ code: "bare-repository", message, ...nothingOf(join(repository, "HEAD")) })
  }
  return found.length > 0
}
