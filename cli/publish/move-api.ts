import { inParallel } from "./in-parallel.ts"
import { currentFile } from "./layout.ts"
import { send } from "./send.ts"
import type { PublishTarget } from "./target.ts"

/** What becomes of one of the API's paths; `undefined` is no file. */
export interface ApiChange {
  readonly path: string
  readonly before: Buffer | undefined
  readonly after: Buffer | undefined
}

/**
 * What turns the files `before` into `after`. `leftovers` are paths that something cut off may have written: with any,
 * no file can be taken for unchanged.
 */
export function planApi(
  before: ReadonlyMap<string, Buffer>,
  after: ReadonlyMap<string, Buffer>,
  leftovers: ReadonlySet<string> | undefined,
): readonly ApiChange[] {
  const paths = new Set([...after.keys(), ...before.keys(), ...(leftovers ?? [])])
  const changes = [...paths].map((path) => ({ path, before: before.get(path), after: after.get(path) }))
  if (leftovers !== undefined) return changes
  return changes.filter(({ before, after }) => {
    return before === undefined || after === undefined || !before.equals(after)
  })
}

/** Makes the changes and reads each back; calls `onTouch` before and `onDone` after each. */
export async function moveApi(
  target: PublishTarget,
  changes: readonly ApiChange[],
  onTouch: (change: ApiChange) => void,
  onDone: () => void,
): Promise<void> {
  await inParallel(changes, async (change) => {
    onTouch(change)
    await apply(target, change.path, change.after)
    onDone()
  })
}

/** Takes changes back, as far as the target lets us. Never rejects. */
export async function takeBack(target: PublishTarget, changes: readonly ApiChange[]): Promise<void> {
  await inParallel(changes, ({ path, before }) => apply(target, path, before).catch(() => undefined))
}

async function apply(target: PublishTarget, path: string, bytes: Buffer | undefined): Promise<void> {
  if (bytes === undefined) await target.remove(path)
  else await send(target, currentFile(path, bytes))
}
