import { momentGrammar, parseMoment } from "../../sdk/evaluation/moment.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { findRevision, type Published, readIntact, readManifest } from "./published.ts"
import { type PublishedRevision, type Rollback, timesOf } from "./revision-index.ts"
import type { PublishTarget } from "./target.ts"

/** A revision that became current. */
export interface PublishedThen extends PublishedRevision {
  /** Present if readers went back to it: who rolled back and why, as long as the index has the claim. */
  readonly rollback?: Partial<Rollback>
}

/** What readers had, oldest first, as far back as the target knows: a revision is there for each time that it became current. */
export function publicationsOf({ index, unfulfilled }: Published): readonly PublishedThen[] {
  const pending = new Set(unfulfilled.map(({ publishedAt }) => publishedAt))
  const claims = new Map(index.claims.map((claim) => [claim.publishedAt, claim]))
  return index.revisions
    .flatMap((revision) => timesOf(revision).map((publishedAt) => ({ ...revision, publishedAt })))
    .filter(({ publishedAt }) => !pending.has(publishedAt))
    .toSorted((a, b) => Date.parse(a.publishedAt) - Date.parse(b.publishedAt))
    .map((revision, at, all) => {
      const isOlder = Date.parse(revision.committedAt ?? "") < Date.parse(all[at - 1]?.committedAt ?? "")
      const rollback = claims.get(revision.publishedAt)?.rollback ?? (isOlder ? {} : undefined)
      return { ...revision, ...(rollback && { rollback }) }
    })
}

/**
 * What readers had at a date or time (RFC 3339; a date is its midnight in UTC), or have now; any other text is the
 * beginning of a revision's name, or a commit's name in this clone. Throws `Failure` if the target does not know.
 */
export async function publicationAt(
  target: PublishTarget,
  published: Published,
  at: string | undefined,
  { git, cwd }: Pick<Host, "git" | "cwd">,
): Promise<PublishedThen> {
  const moment = at === undefined ? Number.POSITIVE_INFINITY : parseMoment(at)
  if (at !== undefined && moment === undefined) {
    if (momentGrammar.test(at)) throw new Failure(`${at} is not a date or time`)
    if (published.index.revisions.some(({ revision }) => revision.startsWith(at)))
      return findRevision(target, published.index, at)
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${at}^{commit}`]
    const { stdout } = await git(args, { cwd }).catch(() => ({ stdout: "" })) // no git, so no commit
    return findRevision(target, published.index, stdout.toString().trim() || at)
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
