import { inParallel } from "./in-parallel.ts"
import { currentFile, isListPath } from "./layout.ts"
import { isSame } from "./send.ts"
import type { PublishedFile, PublishTarget, StoredFile } from "./target.ts"

/** A path and the file that it should have; `undefined`: none. */
export interface Wanted {
  readonly path: string
  readonly file: PublishedFile | undefined
}

/** A path whose file differed when it was read. */
export interface PathChange extends Wanted {
  /** What was read; `undefined`: nothing. */
  readonly stored: StoredFile | undefined
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
  const changes = await inParallel(wanted, async ({ path, file }): Promise<readonly PathChange[]> => {
    const stored = await target.read(path)
    const isMade = file === undefined ? stored === undefined : stored?.bytes.equals(file.bytes) === true
    return isMade ? [] : [{ path, file, stored }]
  })
  return changes.flat()
}

/**
 * Writes or removes the file unless it has changed since it was read: another publisher's may be newer. Few stores have
 * conditions for removals, so these read the file once more.
 */
export async function makeChange(target: PublishTarget, { path, file, stored }: PathChange): Promise<void> {
  if (file !== undefined) await target.write(file, { replaces: stored })
  else if (isSame(await target.read(path), stored)) await target.remove(path)
}

/**
 * Makes the changes: flags before the lists that name them, removals last. Only what is below a list that is not there
 * yet goes before it: a store that keeps objects as files has a folder in its place.
 */
export async function inOrder(
  changes: readonly PathChange[],
  make: (change: PathChange) => Promise<void>,
): Promise<void> {
  const missing = changes.filter(({ path, file, stored }) => file && !stored && isListPath(path))
  const isInTheWay = ({ path }: PathChange) => missing.some((list) => path.startsWith(`${list.path}/`))
  const stageOf = (change: PathChange) =>
    change.file === undefined ? (isInTheWay(change) ? 0 : 2) : isListPath(change.path) ? 1 : 0
  for (const stage of [0, 1, 2])
    await inParallel(
      changes.filter((change) => stageOf(change) === stage),
      make,
    )
}
