import type { KeyObject } from "node:crypto"
import { isSigned } from "../../proxy/contract/signature.ts"
import { momentGrammar, parseMoment } from "../../sdk/evaluation/moment.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { indexPath, manifestPath, manifestSignaturePath, pointerPath } from "./layout.ts"
import type { Publication } from "./publication.ts"
import { damaged, type Published, publishAgain, readIntact, readManifest } from "./published.ts"
import { distinctRevisions, type PublishedRevision, type Rollback } from "./revision-index.ts"
import type { PublishTarget } from "./target.ts"

/** A publication that became current. */
export interface PublishedThen extends Omit<PublishedRevision, "rollback"> {
  /** Present if readers went back to it: who rolled back and why, if it was not with `--allow-older`. */
  readonly rollback?: Partial<Rollback>
}

/** What readers had, oldest first, as far back as the target knows: a revision is there for each time that it became current. */
export function publicationsOf({ index, current, pending }: Published): readonly PublishedThen[] {
  return index.revisions
    .filter((one) => one === current || (one.isLost !== true && !pending.includes(one)))
    .toReversed()
    .map(({ rollback, ...revision }, at, all) => {
      const isOlder = Date.parse(revision.committedAt ?? "") < Date.parse(all[at - 1]?.committedAt ?? "")
      const back = rollback ?? (isOlder ? {} : undefined)
      return { ...revision, ...(back && { rollback: back }) }
    })
}

/** The last publication of each revision that readers had, newest first: these can be rolled back to. */
export function revisionsOf(published: Published): readonly PublishedThen[] {
  return distinctRevisions(publicationsOf(published).toReversed())
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
    if (revisionsOf(published).some(({ revision }) => revision.startsWith(at)))
      return findRevision(target, published, at)
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${at}^{commit}`]
    const { stdout } = await git(args, { cwd }).catch(() => ({ stdout: "" })) // no git, so no commit
    return findRevision(target, published, stdout.toString().trim() || at)
  }
  const all = publicationsOf(published)
  const found = all.findLast(({ publishedAt }) => Date.parse(publishedAt) <= (moment ?? 0))
  if (found !== undefined) return found
  const [oldest] = all
  throw new Failure(
    oldest === undefined
      ? noPublication(target, published)
      : `${target.location} does not know what readers had at ${at}: its oldest publication is of ${oldest.publishedAt}`,
  )
}

/**
 * Reads and verifies the only revision at a target whose name begins with `name`. With a `key` it also verifies the
 * signature: someone who can write to the target must not get our signature for their own manifest. Throws `Failure` if
 * the revision is missing, ambiguous or damaged.
 */
export async function readRevision(
  target: PublishTarget,
  published: Published,
  name: string,
  key: KeyObject | undefined,
): Promise<Publication> {
  const { revision } = findRevision(target, published, name)
  const { stored, manifest } = await readManifest(target, revision)
  if (key !== undefined) {
    const signature = await target.read(manifestSignaturePath(revision))
    if (!isSigned(stored.bytes, signature?.bytes.toString("utf8") ?? "", key))
      throw new Failure(
        `${target.location}: ${manifestPath(revision)} is not signed by this key, so it is not signed again: ${publishAgain}`,
      )
  }
  const documents = await readIntact(target, manifest.environments)
  for (const [environment, { file }] of Object.entries(manifest.environments))
    if (!documents.has(environment)) throw damaged(target, file)
  return { revision, manifest, documents }
}

/** Why a target does not say what was published. */
export function noPublication({ location }: PublishTarget, published: Published): string {
  if (published.storedPointer === undefined && published.storedIndex === undefined)
    return `${location} has no publication`
  const lost = published.pointer === undefined ? pointerPath : indexPath
  return `${location} does not say what was published: ${lost} is missing or damaged; publish again`
}

/** The only revision whose name begins with `name`. Throws `Failure` if there is none, or several. */
function findRevision(target: PublishTarget, published: Published, name: string): PublishedThen {
  const found = revisionsOf(published).filter(({ revision }) => revision.startsWith(name))
  const revision = found.find((each) => each.revision === name) ?? found[0]
  if (revision === undefined)
    throw new Failure(
      `${target.location} has no revision ${name}; \`flagstone publish --list\` lists those it has`,
    )
  if (found.length > 1 && revision.revision !== name)
    throw new Failure(`${found.length} revisions begin with ${name}; write more of the name`)
  return revision
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
  if (bytes === undefined) throw damaged(target, chosen.file)
  return { environment: name, bytes }
}
