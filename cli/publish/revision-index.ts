import { type Manifest, maxTargetLength } from "../../proxy/contract/manifest.ts"
import { isTime } from "../../proxy/contract/time.ts"
import { isObject } from "../../sdk/contract/parsed.ts"
import type { ApiLayout } from "./api-files.ts"
import { pointerPath } from "./layout.ts"

/** One publisher's claim to move the target to a revision. It is fulfilled when the pointer has its `publishedAt`. */
export interface Claim extends ApiLayout {
  readonly revision: string
  readonly publishedAt: string
  /** Where readers find the target, if its manifest names that. */
  readonly target?: string
  /** Present in a rollback. The target is held while the last fulfilled claim has one. */
  readonly rollback?: Rollback
}

/** What a rollback tells everyone who publishes after it. */
export interface Rollback {
  /** The revision that was current before. */
  readonly from: string
  /** Who rolled back. */
  readonly by: string
  readonly reason?: string
}

/** UTF-16 code units that a rollback's reason may have. */
export const maxReasonLength = 500

/** A revision that can be rolled back to. */
export interface PublishedRevision {
  /** Its name, which is also its manifest's. */
  readonly revision: string
  /** When it last became current. */
  readonly publishedAt: string
  /** When it became current before that, newest first; absent: never. */
  readonly earlier?: readonly string[]
  /** When it was committed; `undefined` if no commit is known. */
  readonly committedAt?: string
  /** How many flags each environment has, by name. */
  readonly flags: Readonly<Record<string, number>>
}

/**
 * The publisher's record at the target, because not every server can list files. `claims`, newest first, show which API
 * paths may have a file: the fulfilled one, later ones, and earlier ones whose paths were not seen to be gone.
 * `revisions`, newest first, can be rolled back to.
 */
export interface RevisionIndex {
  readonly claims: readonly Claim[]
  readonly revisions: readonly PublishedRevision[]
}

export const emptyIndex: RevisionIndex = { claims: [], revisions: [] }

/**
 * The file's bytes. With a rollback or old folders its version is 2: whoever reads only version 1 knows neither, and must
 * refuse to publish.
 */
export function formatIndex({ claims, revisions }: RevisionIndex): Buffer {
  const isNew = claims.some(({ rollback, oldBases }) => rollback !== undefined || oldBases !== undefined)
  const formatVersion = isNew ? 2 : 1
  return Buffer.from(`${JSON.stringify({ formatVersion, claims, revisions }, null, 2)}\n`)
}

/** Reads an index. Throws if this version did not write it: a guess could leave outdated files for readers to find. */
export function parseIndex(text: string): RevisionIndex {
  const index: unknown = JSON.parse(text)
  if (!isObject(index) || (index.formatVersion !== 1 && index.formatVersion !== 2))
    throw new Error("its formatVersion is neither 1 nor 2")
  const { claims, revisions } = index
  if (!Array.isArray(claims) || !claims.every(isClaim)) throw new Error("its claims are not valid")
  if (!Array.isArray(revisions) || !revisions.every(isPublishedRevision))
    throw new Error("its revisions are not valid")
  return { claims, revisions }
}

/**
 * The index with one more claim. If it `isClean`, its publisher has found no path that must go, and the claims before
 * the fulfilled one need not be looked at again.
 */
export function addClaim(
  { claims, revisions }: RevisionIndex,
  claim: Claim,
  { committedAt, environments }: Manifest,
  { fulfilled, isClean }: { readonly fulfilled: Claim | undefined; readonly isClean: boolean },
): RevisionIndex {
  const done = fulfilled === undefined ? claims.length : claims.indexOf(fulfilled) + 1
  const { revision, publishedAt } = claim
  const before = revisions.find((other) => other.revision === revision)
  const times = before === undefined ? [] : timesOf(before)
  const unfulfilled = fulfilled === undefined ? claims : claims.slice(0, done - 1)
  const earlier = times.filter((time) => !unfulfilled.some((other) => other.publishedAt === time))
  const entry: PublishedRevision = {
    revision,
    publishedAt,
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(committedAt === undefined ? {} : { committedAt }),
    flags: Object.fromEntries(Object.entries(environments).map(([name, { flags }]) => [name, flags])),
  }
  return {
    claims: [claim, ...(isClean ? claims.slice(0, done) : claims)],
    revisions: [entry, ...revisions.filter((other) => other.revision !== revision)],
  }
}

/** When a revision became current, newest first. */
export function timesOf({ publishedAt, earlier = [] }: PublishedRevision): readonly string[] {
  return [publishedAt, ...earlier]
}

/**
 * The index with these revisions only. It forgets what was current before the newest of the others, so that it never takes
 * an older revision for the one that readers had.
 */
export function keepRevisions(index: RevisionIndex, kept: readonly PublishedRevision[]): RevisionIndex {
  const gone = index.revisions.filter((revision) => !kept.includes(revision)).flatMap(timesOf)
  const end = Math.max(...gone.map((time) => Date.parse(time)))
  const revisions = kept.map(({ earlier = [], ...revision }) => {
    const known = earlier.filter((time) => Date.parse(time) > end)
    return known.length === 0 ? revision : { ...revision, earlier: known }
  })
  return { ...index, revisions }
}

/** The index without the hold of the last fulfilled claim; a claim that is under way keeps its hold. */
export function withoutHold(index: RevisionIndex, fulfilled: Claim): RevisionIndex {
  const at = index.claims.indexOf(fulfilled)
  const claims = index.claims.map(({ rollback, ...claim }, i) =>
    rollback && i < at ? { ...claim, rollback } : claim,
  )
  return { ...index, claims }
}

/** Whether a value can be a revision's name, which becomes part of a path. */
function isRevisionName(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/.test(text)
}

function isClaim(value: unknown): value is Claim {
  return (
    isObject(value) &&
    isRevisionName(value.revision) &&
    isTime(value.publishedAt) &&
    typeof value.perFlag === "boolean" &&
    (value.target === undefined || isShort(value.target, maxTargetLength)) &&
    (value.rollback === undefined || isRollback(value.rollback)) &&
    areBases(value.bases, isBase) &&
    (value.oldBases === undefined ||
      areBases(value.oldBases, (bases) => Array.isArray(bases) && bases.every(isBase)))
  )
}

function isRollback(value: unknown): value is Rollback {
  return (
    isObject(value) &&
    isRevisionName(value.from) &&
    isShort(value.by, maxReasonLength) &&
    (value.reason === undefined || isShort(value.reason, maxReasonLength))
  )
}

/** The text comes from the target and is printed: whoever can write there must not be able to fill logs. */
function isShort(text: unknown, most: number): text is string {
  return typeof text === "string" && text.length <= most
}

function isPublishedRevision(value: unknown): value is PublishedRevision {
  return (
    isObject(value) &&
    isRevisionName(value.revision) &&
    isTime(value.publishedAt) &&
    (value.earlier === undefined || (Array.isArray(value.earlier) && value.earlier.every(isTime))) &&
    (value.committedAt === undefined || isTime(value.committedAt)) &&
    isObject(value.flags) &&
    Object.values(value.flags).every((count) => typeof count === "number")
  )
}

function areBases(value: unknown, are: (bases: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(are)
}

/** An environment's name, possibly with a dash and 32 digits. Checked because files below it are removed. */
function isBase(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,96}$/.test(text) && text !== pointerPath
}
