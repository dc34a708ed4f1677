import { momentGrammar, parseMoment } from "../../sdk/evaluation/moment.ts"
import { Failure } from "../failure.ts"
import { findRevision, type Published, readIntact, readManifest } from "./published.ts"
import { type PublishedRevision, timesOf } from "./revision-index.ts"
import type { PublishTarget } from "./target.ts"

/** What readers had, oldest first, as far back as the target knows: a revision is there for each time that it became current. */
export function publicationsOf({ index, unfulfilled }: Published): readonly PublishedRevision[] {
  const pending = new Set(unfulfilled.map(({ publishedAt }) => publishedAt))
  return index.revisions
    .flatMap((revision) => timesOf(revision).map((publishedAt) => ({ ...revision, publishedAt })))
    .filter(({ publishedAt }) => !pending.has(publishedAt))
    .toSorted((a, b) => Date.parse(a.publishedAt) - Date.parse(b.publishedAt))
}

/**
 * What readers had at a date or time (RFC 3339; a date is its midnight in UTC), or have now; any other text is the
 * beginning of a revision's name. Throws `Failure` if the target does not know.
 */
export function publicationAt(
  target: PublishTarget,
  published: Published,
  at: string | undefined,
): PublishedRevision {
  const moment = at === undefined ? Number.POSITIVE_INFINITY : parseMoment(at)
  if (at !== undefined && moment === undefined) {
    if (momentGrammar.test(at)) throw new Failure(`${at} is not a date or time`)
    return findRevision(target, published.index, at)
  }
  const all = publicationsOf(published)
  const found = all.findLast(({ publishedAt }) => Date.parse(publishedAt) <= (moment ?? 0))
  if (found !== undefined) return found
  const [oldest] = all
  throw new Failure(
    oldest === undefined
      ? `${target.location} has no publication`
      : `${target.location} does not know what readers had at ${at}: its oldest publication is of ${oldest.publishedAt}`,
  )
}

/** The document of an environment in a revision; `undefined`: the revision has no such environment. Throws `Failure` if it is damaged. */
export async function readDocument(
  target: PublishTarget,
  revision: string,
  choose: (names: readonly string[]) => string | undefined,
): Promise<{ readonly environment: string; readonly bytes: Buffer } | undefined> {
  const { environments } = (await readManifest(target, revision)).manifest
  const name = choose(Object.keys(environments))
  const chosen = name === undefined ? undefined : environments[name]
  if (name === undefined || chosen === undefined) return undefined
  const bytes = (await readIntact(target, { [name]: chosen })).get(name)
  if (bytes === undefined) throw new Failure(`${target.location}: ${chosen.file} is missing or damaged`)
  return { environment: name, bytes }
}
