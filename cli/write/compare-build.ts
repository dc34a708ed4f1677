import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Build } from "../compile/assemble.ts"
import { documentsOf, filesOf } from "./write-build.ts"

/** How a file of the output folder differs from what a build gives. */
export interface Difference {
  readonly file: string
  /** `obsolete`: the folder's manifest names it, and the build has no such document. */
  readonly kind: "missing" | "different" | "obsolete"
}

/** What `writeBuild` would change in the folder; nothing where it holds the build byte for byte. Throws where a file cannot be read. */
export function compareBuild(build: Build, folder: string): readonly Difference[] {
  const files = filesOf(build)
  const differences = files.flatMap(({ file, bytes }): readonly Difference[] => {
    const found = readIfThere(join(folder, file))
    if (found === undefined) return [{ file, kind: "missing" }]
    return found.equals(bytes) ? [] : [{ file, kind: "different" }]
  })
  const obsolete = documentsOf(folder).filter((name) => !files.some(({ file }) => file === name))
  return [...differences, ...obsolete.map((file) => ({ file, kind: "obsolete" }) as const)]
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
