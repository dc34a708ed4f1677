import { type Manifest, maxTargetLength } from "../../proxy/contract/manifest.ts"
import { isTime } from "../../proxy/contract/time.ts"
import { isObject } from "../../sdk/contract/parsed.ts"
import type { ApiLayout } from "./api-files.ts"
import { convertIndex } from "./convert-index.ts"
import { pointerPath } from "./layout.ts"

/** What a rollback tells everyone who publishes after it. The target is held while the current publication has one. */
export interface Rollback {
  /** The revision that was current before. */
  readonly from: string
  /** Who rolled back. */
  readonly by: string
  readonly reason?: string
  /** It no longer holds the target. */
  readonly isLifted?: true
}

/** UTF-16 code units that a rollback's reason may have. */
export const maxReasonLength = 500

/** A publication. It became current when the pointer got its `publishedAt`. */
export interface PublishedRevision {
  /** The revision's name, which is also its manifest's. It may be published again. */
  readonly revision: string
  readonly publishedAt: string
  /** When it was committed; `undefined` if no commit is known. */
  readonly committedAt?: string
  /** How many flags each environment has, by name. */
  readonly flags: Readonly<Record<string, number>>
  /** Where readers find the target, if its manifest names that. */
  readonly target?: string
  /** Its API paths, which may have a file; absent: they were seen to have none that must go. */
  readonly layout?: ApiLayout
  /** Present in a rollback. */
  readonly rollback?: Rollback
  /** Another publication became current instead of this one, whose publisher was killed or too late. */
  readonly isLost?: true
}

/** A publication that holds its target: only rollbacks can be published there until the hold is lifted. */
export interface Hold extends PublishedRevision {
  readonly rollback: Rollback
}

export function isHold(publication: PublishedRevision): publication is Hold {
  return publication.rollback !== undefined && publication.rollback.isLifted !== true
}

/** The publisher's record at the target, because not every server can list files: its publications, newest first. */
export interface RevisionIndex {
  readonly revisions: readonly PublishedRevision[]
}

/** What the index keeps of a manifest that becomes current. */
export function recordOf(
  revision: string,
  { committedAt, environments }: Manifest,
  { publishedAt, target }: { readonly publishedAt: string; readonly target: string | undefined },
): PublishedRevision {
  return {
    ...{ revision, publishedAt },
    ...(committedAt !== undefined && { committedAt }),
    flags: Object.fromEntries(Object.entries(environments).map(([name, { flags }]) => [name, flags])),
    ...(target !== undefined && { target }),
  }
}

export const emptyIndex: RevisionIndex = { revisions: [] }

export function formatIndex({ revisions }: RevisionIndex): Buffer {
  return Buffer.from(`${JSON.stringify({ formatVersion, revisions }, null, 2)}\n`)
}

/** Reads an index. Throws if it is of a newer version: a guess could leave outdated files for readers to find. */
export function parseIndex(text: string): RevisionIndex {
  const index: unknown = JSON.parse(text)
  if (!isObject(index) || ![1, 2, formatVersion].includes(Number(index.formatVersion)))
    throw new Error(`its formatVersion is not 1, 2 or ${formatVersion}`)
  const revisions = index.formatVersion === formatVersion ? index.revisions : convertIndex(index)
  if (!Array.isArray(revisions) || !revisions.every(isPublishedRevision))
    throw new Error("its revisions are not valid")
  return { revisions }
}

const formatVersion = 3

/**
 * The index with one more publication. Those after the `current` one are lost if the new one becomes current. If it
 * `isClean`, its publisher has found no path that must go, so the layouts of those before need not be looked at again.
 * While no publication is known to be current, all stay as they are.
 */
export function addRevision(
  { revisions }: RevisionIndex,
  added: PublishedRevision,
  { current, isClean }: { readonly current: PublishedRevision | undefined; readonly isClean: boolean },
): RevisionIndex {
  if (current === undefined) return { revisions: [added, ...revisions] }
  const { isLost, ...winner } = current // a loser may have taken it for lost
  const at = revisions.indexOf(current)
  const lost = revisions.slice(0, at).map((entry): PublishedRevision => ({ ...entry, isLost: true }))
  const before = revisions.slice(at + 1)
  return {
    revisions: [added, ...lost, winner, ...(isClean ? before.map(({ layout, ...entry }) => entry) : before)],
  }
}

/** The newest publication that another did not win against: readers have it, unless its publisher was killed. */
export function lastOf({ revisions }: RevisionIndex): PublishedRevision | undefined {
  return revisions.find(({ isLost }) => isLost !== true)
}

/** The first of each revision. */
export function distinctRevisions<Entry extends Pick<PublishedRevision, "revision">>(
  entries: readonly Entry[],
): readonly Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ revision }) => !seen.has(revision) && seen.add(revision))
}

/**
 * The index without these revisions, and without what lost, which no reader had. It forgets what was current before the
 * newest of them, so that it never takes an older revision for the one that readers had.
 */
export function withoutRevisions(
  { revisions }: RevisionIndex,
  current: PublishedRevision,
  gone: ReadonlySet<string>,
): RevisionIndex {
  // A loser may have taken the current one for lost.
  const had = revisions.filter((entry) => entry === current || entry.isLost !== true)
  const end = had.findIndex(({ revision }) => gone.has(revision))
  const newer = end < 0 ? had : had.slice(0, end)
  const older = had.slice(newer.length).filter(({ revision }) => !gone.has(revision))
  const last = new Set(distinctRevisions([...newer, ...older]))
  return { revisions: [...newer, ...older.filter((entry) => last.has(entry))] }
}

/** The index in which the `current` rollback holds the target no more. */
export function withoutHold({ revisions }: RevisionIndex, current: Hold): RevisionIndex {
  const lifted = { ...current, rollback: { ...current.rollback, isLifted: true as const } }
  return { revisions: revisions.map((entry) => (entry === current ? lifted : entry)) }
}

/** Whether a value can be a revision's name, which becomes part of a path. */
export function isRevisionName(text: unknown): text is string {
  return typeof text === "string" && /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/.test(text)
}

function isLayout(value: unknown): value is ApiLayout {
  return (
    isObject(value) &&
    typeof value.perFlag === "boolean" &&
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
    (value.reason === undefined || isShort(value.reason, maxReasonLength)) &&
    isMark(value.isLifted)
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
    (value.committedAt === undefined || isTime(value.committedAt)) &&
    isObject(value.flags) &&
    Object.values(value.flags).every((count) => typeof count === "number") &&
    (value.target === undefined || isShort(value.target, maxTargetLength)) &&
    (value.layout === undefined || isLayout(value.layout)) &&
    (value.rollback === undefined || isRollback(value.rollback)) &&
    isMark(value.isLost)
  )
}

function isMark(value: unknown): value is true | undefined {
  return value === undefined || value === true
}

function areBases(value: unknown, are: (bases: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(are)
}

/** An environment's name, possibly with a dash and 32 digits. Checked because files below it are removed. */
function isBase(text: unknown): boolean {
  return typeof text === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,96}$/.test(text) && text !== pointerPath
}
