import { accessSync, constants, existsSync, statSync } from "node:fs"
import { dirname, relative } from "node:path"
import { Failure } from "../failure.ts"

/**
 * Throws `Failure` for the first of some files that could not be written or added to, so that `init` begins only what it can
 * finish. Paths are absolute; folders that are missing would be made.
 */
export function refuseUnwritable(paths: readonly string[], cwd: string): void {
  for (const path of paths) {
    const reason = reasonAgainst(path)
    if (reason !== undefined)
      throw new Failure(`${relative(cwd, path)} cannot be written, because ${reason}: nothing was changed`)
  }
}

function reasonAgainst(path: string): string | undefined {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) return "it is not a file"
  const place = there === undefined ? nearestAbove(path) : path
  if (there === undefined && !statSync(place).isDirectory()) return `${place} is not a folder`
  try {
    accessSync(place, constants.W_OK)
    return undefined
  } catch (error) {
    return `${place} does not allow it (${(error as NodeJS.ErrnoException).code})`
  }
}

/** The nearest thing above a path that exists. */
function nearestAbove(path: string): string {
  const above = dirname(path)
  return existsSync(above) ? above : nearestAbove(above)
}
