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

/**
 * Makes the changes and reads each back. Where one fails, and `isOurs` says that no other publisher has come since,
 * those made are taken back as far as the target lets us, so that readers stay on the revision that the pointer has;
 * then it throws why.
 */
export async function moveApi(
  target: PublishTarget,
  changes: readonly ApiChange[],
  isOurs: () => Promise<boolean>,
  onDone: () => void,
): Promise<void> {
  const touched: ApiChange[] = []
  try {
    await inParallel(changes, async (change) => {
      touched.push(change)
      await apply(target, change.path, change.after)
      onDone()
    })
  } catch (error) {
    if (await isOurs().catch(() => false)) await takeBack(target, touched)
    throw error
  }
}

/** Never rejects: the claim stays unfulfilled, and the next publication makes good what could not be done here. */
async function takeBack(target: PublishTarget, changes: readonly ApiChange[]): Promise<void> {
  await inParallel(changes, ({ path, before }) => apply(target, path, before).catch(() => undefined))
}

async function apply(target: PublishTarget, path: string, bytes: Buffer | undefined): Promise<void> {
  if (bytes === undefined) await target.remove(path)
  else await send(target, currentFile(path, bytes))
}
