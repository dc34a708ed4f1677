import { join } from "node:path"
import { readIfThere } from "../files/read-if-there.ts"
import type { Build } from "./build.ts"
import { documentsOf, filesOf } from "./write-build.ts"

/** How a file of the output folder differs from a build. */
export interface FileDifference {
  readonly file: string
  /** `obsolete`: the folder's manifest names it, but the build has no such document. */
  readonly kind: "missing" | "different" | "obsolete"
}

/** What `writeBuild` would change in the folder: nothing if it has the build byte for byte. Throws if a file cannot be read. */
export async function compareBuild(build: Build, folder: string): Promise<readonly FileDifference[]> {
  const files = filesOf(build)
  const differences: FileDifference[] = []
  for (const { file, bytes } of files) {
    const found = await readIfThere(join(folder, file))
    if (found === undefined) differences.push({ file, kind: "missing" })
    else if (!found.equals(bytes)) differences.push({ file, kind: "different" })
  }
  const obsolete = documentsOf(folder).filter((name) => !files.some(({ file }) => file === name))
  return [...differences, ...obsolete.map((file) => ({ file, kind: "obsolete" }) as const)]
}
