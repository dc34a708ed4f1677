import { inParallel } from "./in-parallel.ts"
import { currentFile, isListPath } from "./layout.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/** A path and the file that it should have; `undefined`: none. */
export interface Wanted {
  readonly path: string
  readonly file: PublishedFile | undefined
}

/** A path whose file differed when it was read. */
export interface PathChange extends Wanted {
  readonly isThere: boolean
}

/** What the API's paths should have; nothing for paths that `files` lacks. */
export function wantedOf(paths: readonly string[], files: ReadonlyMap<string, Buffer>): readonly Wanted[] {
  return paths.map((path) => {
    const bytes = files.get(path)
    return { path, file: bytes && currentFile(path, bytes) }
  })
}

/** Reads every path and returns those whose files differ. */
export async function findChanges(
  target: PublishTarget,
  wanted: readonly Wanted[],
): Promise<readonly PathChange[]> {
  const changes = await inParallel(wanted, async (each): Promise<readonly PathChange[]> => {
    const { isMade, isThere } = await look(target, each)
    return isMade ? [] : [{ ...each, isThere }]
  })
  return changes.flat()
}

/** Whether a path has what it should. */
export async function isMade(target: PublishTarget, wanted: Wanted): Promise<boolean> {
  return (await look(target, wanted)).isMade
}

/** Writes or removes the file. */
export async function makeChange(target: PublishTarget, { path, file }: Wanted): Promise<void> {
  if (file === undefined) await target.remove(path)
  else await target.write(file)
}

/** Makes the changes: flags before the lists that name them, removals last. */
export async function inOrder(
  changes: readonly PathChange[],
  make: (change: PathChange) => Promise<void>,
): Promise<void> {
  const stageOf = ({ path, file }: PathChange) => (file === undefined ? 2 : isListPath(path) ? 1 : 0)
  for (const stage of [0, 1, 2])
    await inParallel(
      changes.filter((change) => stageOf(change) === stage),
      make,
    )
}

async function look(target: PublishTarget, { path, file }: Wanted) {
  const bytes = (await target.read(path))?.bytes
  return {
    isThere: bytes !== undefined,
    isMade: file === undefined ? bytes === undefined : bytes?.equals(file.bytes) === true,
  }
}
