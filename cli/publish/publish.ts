import { Failure } from "../failure.ts"
import { apiFiles } from "./api-files.ts"
import { inParallel } from "./in-parallel.ts"
import { indexPath, pointerSignaturePath, privateFile } from "./layout.ts"
import { type ApiChange, moveApi, takeBack } from "./move-api.ts"
import type { Plan } from "./plan.ts"
import { readIntact, readPublished } from "./published.ts"
import { formatIndex, type PublishedRevision, type RevisionIndex } from "./revision-index.ts"
import { holds, send, sendIf } from "./send.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/**
 * Carries a plan out. What only this revision names goes first; then the claim, at which the slower of two publishers
 * is told; then the API's paths; and last the pointer, by which the revision becomes the current one. Each file is read
 * back before the next step. Throws what went wrong; the pointer has not moved then, and a second run makes all good.
 */
export async function carryOut(target: PublishTarget, plan: Plan, onDone: () => void): Promise<void> {
  await inParallel(plan.immutables, async (file) => {
    await send(target, file)
    onDone()
  })
  const claim = privateFile(indexPath, formatIndex(withClaim(plan)))
  if (!(await sendIf(target, claim, { replaces: plan.published.storedIndex }))) throw lost(target)
  await move(target, plan, claim, onDone)
}

/**
 * The part that readers see. Where it fails, the API's paths are put back to the revision that the pointer has, as far
 * as the target lets us: to the old one, or to that of the publisher who was faster.
 */
async function move(
  target: PublishTarget,
  plan: Plan,
  claim: PublishedFile,
  onDone: () => void,
): Promise<void> {
  const { published, pointer, signature } = plan
  const { stored } = published.pointer ?? {}
  const touched: ApiChange[] = []
  try {
    await restore(target, plan)
    await moveApi(target, plan.api, (change) => touched.push(change), onDone)
    if (signature !== undefined) await send(target, signature)
    else if (published.signature !== undefined) await target.remove(pointerSignaturePath)
    if (!(await holds(target, claim))) throw lost(target)
    if (!(await sendIf(target, pointer, { replaces: stored }))) throw lost(target)
  } catch (error) {
    await putBack(target, plan, claim, touched).catch(() => undefined) // the next run makes it good
    throw error
  }
}

/** Until the claim was there to see, who prunes may have taken a document for needless. */
async function restore(target: PublishTarget, { files }: Plan): Promise<void> {
  await inParallel(files, async (file) => {
    if (!(await holds(target, file))) await send(target, file)
  })
}

async function putBack(
  target: PublishTarget,
  { published: { fulfilled } }: Plan,
  claim: PublishedFile,
  touched: readonly ApiChange[],
): Promise<void> {
  const now = await readPublished(target)
  const isStill = now.fulfilled?.publishedAt === fulfilled?.publishedAt && (await holds(target, claim))
  if (isStill) return takeBack(target, touched)
  if (now.pointer === undefined || now.fulfilled === undefined || now.unfulfilled.length > 0) return
  const files = apiFiles(
    await readIntact(target, now.pointer.manifest.environments, new Map()),
    now.fulfilled,
  )
  await takeBack(
    target,
    touched.map((change) => ({ ...change, before: files.get(change.path) })),
  )
}

/** How often `carryOut` calls `onDone`. */
export function countSteps({ immutables, api }: Plan): number {
  return immutables.length + api.length
}

function withClaim({ publication, publishedAt, places, published }: Plan): RevisionIndex {
  const { revision, manifest } = publication
  const { committedAt, environments } = manifest
  const entry: PublishedRevision = {
    revision,
    publishedAt,
    ...(committedAt === undefined ? {} : { committedAt }),
    flags: Object.fromEntries(Object.entries(environments).map(([name, { flags }]) => [name, flags])),
  }
  const { bases, perFlag } = places
  const { index, fulfilled, unfulfilled } = published
  return {
    formatVersion: 1,
    claims: [
      { revision, publishedAt, bases, perFlag },
      ...unfulfilled,
      ...(fulfilled === undefined ? [] : [fulfilled]),
    ],
    revisions: [entry, ...index.revisions.filter((other) => other.revision !== revision)],
  }
}

/** Nothing is left to complete: somebody else has the target now. */
export class Outrun extends Failure {}

function lost({ location }: PublishTarget): Outrun {
  return new Outrun(
    `another publisher was faster at ${location}; see what it has now with --list, and run this again if it is still wanted`,
  )
}
