import { publishedKeyFile, publishedKeySignature } from "../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import type { Manifest } from "../../proxy/contract/manifest.ts"
import { plural } from "../diagnostics/plural.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { type ApiLayout, flagsOf } from "./api-files.ts"
import { indexPath, notFoundPath, pointerPath, pointerSignaturePath } from "./layout.ts"
import type { Publication } from "./publication.ts"
import { type Published, readIntact } from "./published.ts"
import type { PublishedKeys } from "./published-keys.ts"
import { hasSignature } from "./signatures.ts"
import type { PublishTarget } from "./target.ts"

/** The checks that the user has overridden. */
export interface Allowed {
  readonly dirty: boolean
  readonly shallow: boolean
}

/** Throws `Failure` if a build should not be published as it is. */
export function refuseDoubtful({ manifest }: Publication, allowed: Allowed): void {
  if (manifest.revision === null && !allowed.dirty)
    throw new Failure(
      "the build has no commit; build it in a git repository, or publish it with --allow-dirty",
    )
  if (manifest.dirty && !allowed.dirty)
    throw new Failure(
      "the build has uncommitted changes; commit and build again, or publish it with --allow-dirty",
    )
  if (manifest.shallow && !allowed.shallow)
    throw new Failure(
      "the build comes from a shallow clone, so its times may be wrong; clone the whole history (fetch-depth: 0), or publish it with --allow-shallow",
    )
}

/**
 * Throws `Failure` if readers would go back to an older commit, because a CI run was repeated or overtaken by the next. If this
 * clone has both commits and one descends from the other, that decides; otherwise their dates do.
 */
export async function refuseOlder(
  { manifest }: Publication,
  published: Manifest | undefined,
  { git, cwd }: Pick<Host, "git" | "cwd">,
): Promise<void> {
  const [before, now] = [published, manifest].map((one) => /^[0-9a-f]{40,64}$/.exec(one?.revision ?? "")?.[0])
  const descends = async (later: string | undefined, earlier: string | undefined) => {
    if (later === undefined || earlier === undefined) return false
    const asked = git(["merge-base", "--is-ancestor", earlier, later], { cwd })
    return asked.then(({ status }) => status === 0).catch(() => false) // no git
  }
  if (await descends(now, before)) return
  const isBefore = Date.parse(manifest.committedAt ?? "") < Date.parse(published?.committedAt ?? "")
  const isAncestor = await descends(before, now)
  if (!isBefore && !isAncestor) return
  const older = isAncestor
    ? "the build's commit is an ancestor of the published one"
    : `the build's commit (${manifest.committedAt}) is older than the published one (${published?.committedAt})`
  throw new Failure(
    `${older}; publish the newest commit, go back with --rollback, or publish this one with --allow-older`,
  )
}

/** Throws `Failure` if readers would lose so much that the folder is probably wrong. */
export async function refuseShrinking(
  target: PublishTarget,
  { manifest, documents }: Publication,
  published: Manifest | undefined,
): Promise<void> {
  const counts = Object.values(manifest.environments).map(({ flags }) => flags)
  if (counts.every((flags) => flags === 0)) throw shrinking("the build has no flags")
  if (published === undefined) return
  if (published.project !== manifest.project)
    throw shrinking(
      `${target.location} has the project ${published.project}, but this is ${manifest.project}`,
    )
  const gone = Object.keys(published.environments).filter((name) => manifest.environments[name] === undefined)
  if (gone.length > 0) throw shrinking(`the build lacks the environment ${gone.join(", ")}`)
  const changed = Object.entries(published.environments).filter(
    ([name, { sha256 }]) => manifest.environments[name]?.sha256 !== sha256,
  )
  const old = await readIntact(target, Object.fromEntries(changed))
  for (const [name, document] of old) {
    const before = [...flagsOf(document).keys()]
    const after = flagsOf(documents.get(name) as Buffer)
    const lost = before.filter((key) => !after.has(key)).length
    if (lost * 2 > before.length)
      throw shrinking(`the build lacks ${lost} of ${plural(before.length, "published flag")}`)
  }
}

function shrinking(what: string): Failure {
  return new Failure(`${what}; is this the right folder? If it is intended, publish with --allow-shrink`)
}

/** Throws `Failure` if the new publication would lack a protection that the published one has. */
export function refuseWeaker(
  published: Published,
  before: ApiLayout | undefined,
  { bases }: ApiLayout,
  isSigned: boolean,
): void {
  if (hasSignature(published) && !isSigned)
    throw new Failure(
      "the current publication is signed; set FLAGSTONE_SIGNING_KEY, or publish with --allow-weaker",
    )
  const isGuessable = (name: string) => bases[name] === name
  if (Object.entries(before?.bases ?? {}).some(([name, base]) => base !== name && isGuessable(name)))
    throw new Failure(
      "the published URLs cannot be guessed; set FLAGSTONE_PATH_SECRET, or publish with --allow-weaker",
    )
  if (published.pointer && before === undefined && Object.keys(bases).some(isGuessable))
    throw new Failure(
      `${indexPath} does not say where the published files are, and they are not at the usual URLs; set FLAGSTONE_PATH_SECRET, or publish with --allow-weaker`,
    )
}

/** Throws `Failure` if the keys would lose the signature that the published ones have. */
export function refuseWeakerKeys(published: PublishedKeys, isSigned: boolean): void {
  if (hasSignature(published) && !isSigned)
    throw new Failure(
      "the published keys are signed; set FLAGSTONE_SIGNING_KEY, or publish with --allow-weaker",
    )
}

/** Throws `Failure` if every client would lose its key. */
export function refuseNoKeys(name: string, keys: readonly KeyRecord[]): void {
  if (keys.length === 0)
    throw new Failure(
      `${name} has no keys, and clients that are refused may never ask again; if it is intended, publish with --allow-shrink`,
    )
}

/** Throws `Failure` if an environment's folder would have the name of one of the target's own files. */
export function refuseClashes(bases: Readonly<Record<string, string>>): void {
  for (const base of Object.values(bases))
    if (ownFiles.has(base))
      throw new Failure(
        `the environment ${base} cannot be published: targets already have a file with that name; rename the environment`,
      )
}

const ownFiles: ReadonlySet<string> = new Set([
  pointerPath,
  pointerSignaturePath,
  indexPath,
  notFoundPath,
  publishedKeyFile,
  publishedKeySignature,
])
