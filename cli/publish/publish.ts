import { Failure } from "../failure.ts"
import { inParallel } from "./in-parallel.ts"
import { indexPath, pointerSignaturePath, privateFile } from "./layout.ts"
import { moveApi } from "./move-api.ts"
import type { Plan } from "./plan.ts"
import { formatIndex, type PublishedRevision, type RevisionIndex } from "./revision-index.ts"
import { holds, send, sendIf } from "./send.ts"
import type { PublishTarget } from "./target.ts"

/**
 * Carries a plan out. What only this revision names goes first; then the claim, at which the slower of two publishers
 * is told; then the API's paths; and last the pointer, by which the revision becomes the current one. Each file is read
 * back before the next step. Throws what went wrong; the pointer has not moved then, and a second run makes all good.
 */
export async function carryOut(
  target: PublishTarget,
  plan: Plan,
  onDone: () => void,
): Promise<RevisionIndex> {
  const { published, pointer, signature } = plan
  await inParallel(plan.immutables, async (file) => {
    await send(target, file)
    onDone()
  })

  const index = withClaim(plan)
  const claim = privateFile(indexPath, formatIndex(index))
  if (!(await sendIf(target, claim, { replaces: published.storedIndex }))) throw lost(target)

  const isOurs = () => holds(target, claim)
  await moveApi(target, plan.api, isOurs, onDone)
  if (signature !== undefined) await send(target, signature)
  else if (published.signature !== undefined) await target.remove(pointerSignaturePath)

  if (!(await isOurs())) throw lost(target)
  if (!(await sendIf(target, pointer, { replaces: published.pointer?.stored }))) throw lost(target)
  return index
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

function lost({ location }: PublishTarget): Failure {
  return new Failure(
    `another publisher was faster at ${location}; see what it has now with --list, and run this again if it is still wanted`,
  )
}
