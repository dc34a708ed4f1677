import { Failure } from "../failure.ts"
import {
  findChanges,
  inOrder,
  isMade,
  makeChange,
  type PathChange,
  type Wanted,
  wantedOf,
} from "./changes.ts"
import { inParallel } from "./in-parallel.ts"
import { currentFile, indexPath, notFoundBody, notFoundPath, pointerPath, privateFile } from "./layout.ts"
import { cutOff, Outrun, outrun, unsettled } from "./outrun.ts"
import type { Plan } from "./plan.ts"
import { type Published, readPublished } from "./published.ts"
import { readCurrentApi } from "./published-api.ts"
import { addClaim, type Claim, formatIndex, isSameClaim, removeClaim } from "./revision-index.ts"
import { isSame, sendIf, writeIf } from "./send.ts"
import type { PublishTarget } from "./target.ts"

/**
 * Carries a plan out: first the claim, which tells other publishers which paths this one may write to; then the files
 * that only this revision names; then the API's paths; and last the pointer: the publisher that moves it wins.
 *
 * The API's paths have no transaction, so every publisher that has written to them settles afterwards: the one that
 * moved the pointer reads all of them after the move, the others read the pointer after their last write, and each
 * restores the pointer's files. Whichever wrong write is last, some publisher still reads that path after it.
 */
export async function carryOut(target: PublishTarget, plan: Plan, onDone: () => void): Promise<void> {
  const isClaimed = await claim(target, plan).catch((error: Error) => {
    throw cutOff(error, plan.published)
  })
  if (!isClaimed) throw outrun(target)
  const touched: PathChange[] = []
  const failure = await move(target, plan, touched, onDone).then(
    () => undefined,
    (error: unknown) => error as Error,
  )
  const now = await settle(target, plan, touched).catch((error: unknown) => {
    throw unsettled(failure ?? (error as Error))
  })
  if (isOurs(now, plan)) return // also true if only the answer to the last request was lost
  await withdraw(target, plan).catch(() => undefined) // if the claim stays, the next publisher also checks these paths
  throw failure === undefined || failure instanceof Outrun ? outrun(target) : cutOff(failure, now)
}

/** False if another publisher has claimed the target since the plan was made. */
async function claim(target: PublishTarget, plan: Plan): Promise<boolean> {
  const { index, fulfilled, storedIndex } = plan.published
  const claimed = addClaim(index, claimOf(plan), plan.publication.manifest, fulfilled)
  await writeIf(target, privateFile(indexPath, formatIndex(claimed)), { replaces: storedIndex })
  return hasClaim(await readPublished(target), plan) // others may have added theirs by now
}

function hasClaim({ index }: Published, plan: Plan): boolean {
  return index.claims.some((other) => isSameClaim(other, claimOf(plan)))
}

function claimOf({ publication: { revision }, publishedAt, layout, address, rollback }: Plan): Claim {
  const target = address !== undefined && { target: address }
  return { revision, publishedAt, ...layout, ...target, ...(rollback && { rollback }) }
}

/** Withdraws the claim of a publication that has left nothing to check. */
async function withdraw(target: PublishTarget, plan: Plan): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const now = await readPublished(target)
    if (!hasClaim(now, plan)) return
    const without = removeClaim(now.index, claimOf(plan))
    await writeIf(target, privateFile(indexPath, formatIndex(without)), { replaces: now.storedIndex })
  }
}

/** Everything up to the pointer's move. Throws `Outrun` if another publisher has moved it. */
async function move(
  target: PublishTarget,
  plan: Plan,
  touched: PathChange[],
  onDone: () => void,
): Promise<void> {
  const { published, files, pointer, signature } = plan
  // Check again: a prune that ran before our claim was visible may have deleted a document.
  await inParallel(await findChanges(target, files), async (change) => {
    await send(target, plan, change)
    onDone()
  })
  let begun = 0
  await inOrder(plan.api, async (change) => {
    if (begun++ % changesBetweenLooks === 0) await requireOpen(target, plan)
    touched.push(change)
    await send(target, plan, change)
    onDone()
  })
  await requireOpen(target, plan)
  if (signature && !(await sendIf(target, signature, { replaces: published.signature }))) throw outrun(target)
  if (!(await sendIf(target, pointer, { replaces: published.storedPointer }))) throw outrun(target)
}

/** How many files a publisher sends between checks, and so at most after it has lost. */
const changesBetweenLooks = 64

/** Makes a change and reads it back; repeats it if another publisher, which is about to lose, has overwritten it. */
async function send(target: PublishTarget, plan: Plan, change: PathChange): Promise<void> {
  for (let tries = 1; ; tries++) {
    await makeChange(target, change)
    if (await isMade(target, change)) return
    await requireOpen(target, plan)
    if (tries === mostTries)
      throw new Failure(
        `${target.location}: ${change.path} does not read back as it was sent; publish to the origin without a cache in between, one publisher at a time`,
      )
  }
}

const mostTries = 5

/**
 * Throws `Outrun` if the pointer has moved, or if the claim is lost, which can happen in a store without conditional
 * writes.
 */
async function requireOpen(target: PublishTarget, plan: Plan): Promise<void> {
  const now = await readPublished(target)
  const isStill = isSame(now.storedPointer, plan.published.storedPointer)
  if (!isStill || !hasClaim(now, plan)) throw outrun(target)
}

/** Restores the API's paths of the pointer's revision until the pointer stops moving; returns what the target has then. */
async function settle(target: PublishTarget, plan: Plan, touched: PathChange[]): Promise<Published> {
  for (;;) {
    const now = await readPublished(target)
    const wanted = isOurs(now, plan) ? plan.wanted : await readWanted(target, now, touched)
    await inOrder(await findChanges(target, wanted), async (change) => {
      touched.push(change)
      await makeChange(target, change)
    })
    if (isSame(await target.read(pointerPath), now.storedPointer)) return now
  }
}

/** What the touched paths should have for the pointer's revision. */
async function readWanted(
  target: PublishTarget,
  now: Published,
  touched: readonly PathChange[],
): Promise<readonly Wanted[]> {
  if (touched.length === 0) return []
  const paths = [...new Set(touched.map(({ path }) => path))]
  const isFirst = now.storedPointer === undefined && touched.every(({ isThere }) => !isThere)
  return wantedOf(paths, isFirst ? new Map() : await readCurrentApi(target, now))
}

function isOurs({ storedPointer }: Published, { pointer }: Plan): boolean {
  return storedPointer?.bytes.equals(pointer.bytes) === true
}

/** How often `carryOut` calls `onDone`, at least. */
export function countSteps({ immutables, api }: Plan): number {
  return immutables.length + api.length
}

/**
 * Whether a target refuses a write whose condition is false, tested with a file that is the same in all publications.
 * The target must have been published to.
 */
export async function knowsConditions(target: PublishTarget): Promise<boolean> {
  const pointer = await target.read(pointerPath)
  const question = currentFile(notFoundPath, notFoundBody)
  const answer = await target.write(question, { replaces: undefined }).catch(() => "lost")
  return answer === "lost" && pointer?.version !== undefined
}
