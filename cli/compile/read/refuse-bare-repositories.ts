import { join } from "node:path"
import { findBareRepositories } from "../../bare-repositories.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { nothingOf } from "./read-source.ts"

/**
 * Reports the bare repositories around and below the flags folder, and returns whether there are any: then git must not be
 * started. Throws if the folder cannot be listed.
 */
export function refuseBareRepositories(folder: string, report: Report): boolean {
  const found = findBareRepositories(folder)
  const message =
    "Because of this file, git takes its folder for a bare repository, whose settings can name programs to run. Remove the file."
  for (const repository of found)
    report.add({ code: "bare-repository", message, ...nothingOf(join(repository, "HEAD")) })
  return found.length > 0
}
