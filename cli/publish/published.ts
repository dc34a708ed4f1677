import { hash } from "node:crypto"
import { type Manifest, parseManifest } from "../../proxy/contract/manifest.ts"
import { Failure } from "../failure.ts"
import { inParallel } from "./in-parallel.ts"
import {
  documentPath,
  indexPath,
  manifestPath,
  pointerPath,
  pointerSignaturePath,
  revisionName,
} from "./layout.ts"
import { asPublished, formatManifest, isDocument, type Publication } from "./publication.ts"
import {
  emptyIndex,
  isHold,
  isRevisionName,
  lastOf,
  type PublishedRevision,
  parseIndex,
  type RevisionIndex,
  recordOf,
} from "./revision-index.ts"
import { isSame } from "./send.ts"
import type { PublishTarget, StoredFile } from "./target.ts"

/** The current manifest of a target. */
export interface Pointer {
  readonly stored: StoredFile
  readonly manifest: Manifest
  readonly publishedAt: string
}

/** The state of a target that publishing depends on. */
export interface Published {
  /** `undefined` before the first publication. */
  readonly pointer: Pointer | undefined
  /** The file at the pointer's path, whether or not it is valid. */
  readonly storedPointer: StoredFile | undefined
  /** The pointer's signature file; an empty one belonged to an earlier pointer. */
  readonly signature: StoredFile | undefined
  readonly index: RevisionIndex
  readonly storedIndex: StoredFile | undefined
  /**
   * The pointer's publication or, if the pointer is lost, the rollback that the index knows: a damaged file must not lift its
   * hold. `undefined` if there is neither, or the index does not belong to the pointer.
   */
  readonly current: PublishedRevision | undefined
  /** Later publications, which were interrupted or are under way; none if the current one is unknown. */
  readonly pending: readonly PublishedRevision[]
}

/** Reads a target. Throws `Failure` if it has files that no publication wrote. */
export async function readPublished(target: PublishTarget): Promise<Published> {
  // The others are read after the pointer: publishers write what belongs to a pointer before they move it.
  const storedPointer = await target.read(pointerPath)
  const [signature, storedIndex] = await Promise.all([
    target.read(pointerSignaturePath),
    target.read(indexPath),
  ])
  const stored = storedIndex === undefined ? emptyIndex : readIndex(storedIndex, target)
  const pointer = storedPointer && readPointer(storedPointer, stored, target)
  const index = pointer?.manifest.rollback ? await withForgotten(target, stored, pointer) : stored
  const last = lastOf(index)
  const at = index.revisions.findIndex((one) =>
    pointer === undefined ? one === last && isHold(one) : one.publishedAt === pointer.publishedAt,
  )
  // Others may have published since, and the first read was too long ago.
  if (at !== 0 && pointer && !isSame(await target.read(pointerPath), storedPointer))
    return readPublished(target)
  return {
    pointer,
    storedPointer,
    signature,
    index,
    storedIndex,
    current: at < 0 ? undefined : index.revisions[at],
    pending: index.revisions.slice(0, storedPointer === undefined && at < 0 ? undefined : Math.max(at, 0)),
  }
}

/**
 * The index with the pointer's rollback, even if only the pointer still tells of that: whoever removes a damaged index does
 * not lift the hold.
 */
async function withForgotten(
  target: PublishTarget,
  index: RevisionIndex,
  { manifest, publishedAt }: Pointer,
): Promise<RevisionIndex> {
  const own = asPublished(manifest)
  const name = revisionName(own, formatManifest(own))
  // The name comes from the target and becomes part of a path.
  if (index.revisions.some((one) => one.publishedAt === publishedAt) || !isRevisionName(name)) return index
  const { revision } = await nameApart(target, { revision: name, manifest: own, documents: new Map() })
  const reason = `${indexPath} no longer says who, from what and why`
  const rollback = { from: "unknown", by: "someone", reason }
  return {
    revisions: [
      { ...recordOf(revision, manifest, { publishedAt, target: manifest.target }), rollback },
      ...index.revisions,
    ],
  }
}

/** The manifest of a revision at a target. Throws `Failure` if it is missing or damaged. */
export async function readManifest(target: PublishTarget, revision: string) {
  const stored = await target.read(manifestPath(revision))
  const manifest = stored && parseManifest(stored.bytes.toString("utf8"))
  if (manifest?.kind !== "valid") throw damaged(target, manifestPath(revision))
  return { stored: stored as StoredFile, manifest: manifest.value }
}

/** How to repair a revision. A held target refuses every build. */
export const publishAgain = "build and publish that commit again, after --resume if the target is held"

/** A file of a revision that no longer is what was published. */
export function damaged({ location }: PublishTarget, path: string): Failure {
  return new Failure(`${location}: ${path} is missing or damaged: ${publishAgain}`)
}

/** The manifest that readers have or, if the pointer is lost, that of the index's last publication; `undefined`: none is known. */
export async function readLastManifest(
  target: PublishTarget,
  { pointer, index }: Published,
): Promise<Manifest | undefined> {
  const last = lastOf(index)
  if (pointer !== undefined || last === undefined) return pointer?.manifest
  const manifest = parseManifest(
    (await target.read(manifestPath(last.revision)))?.bytes.toString("utf8") ?? "",
  )
  return manifest.kind === "valid" ? manifest.value : undefined
}

/** The documents of a manifest's environments that are there and undamaged, by environment name, in the manifest's order. */
export async function readIntact(
  target: PublishTarget,
  environments: Manifest["environments"],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = await inParallel(Object.entries(environments), async ([name, environment]) => {
    const bytes = (await target.read(documentPath(environment.sha256)))?.bytes
    return bytes !== undefined && isDocument(bytes, environment) ? [[name, bytes] as const] : []
  })
  return new Map(found.flat())
}

/**
 * Renames a publication if the target has different bytes under its name: a different version of Flagstone built that
 * commit.
 */
export async function nameApart(target: PublishTarget, publication: Publication): Promise<Publication> {
  const bytes = formatManifest(publication.manifest)
  const stored = await target.read(manifestPath(publication.revision))
  if (stored === undefined || stored.bytes.equals(bytes)) return publication
  return { ...publication, revision: `${publication.revision}-${hash("sha256", bytes).slice(0, 12)}` }
}

/** `undefined`: it is damaged, and the next publication replaces it. Throws `Failure` if it may not be ours. */
function readPointer(
  stored: StoredFile,
  { revisions }: RevisionIndex,
  target: PublishTarget,
): Pointer | undefined {
  const manifest = parseManifest(stored.bytes.toString("utf8"))
  if (manifest.kind === "valid" && manifest.value.publishedAt !== undefined)
    return { stored, manifest: manifest.value, publishedAt: manifest.value.publishedAt }
  if (revisions.length > 0) return undefined
  const reason = manifest.kind === "invalid" ? manifest.reason : "`flagstone publish` did not write it"
  throw new Failure(
    `${target.location}: ${pointerPath} is not a published manifest: ${reason}; publish to an empty target or, ` +
      "if a publication was damaged, remove that file and publish again, which ends the hold of any rollback",
  )
}

function readIndex(stored: StoredFile, target: PublishTarget): RevisionIndex {
  try {
    return parseIndex(stored.bytes.toString("utf8"))
  } catch (cause) {
    throw new Failure(
      `${target.location}: ${indexPath} is not valid: ${(cause as Error).message}; ` +
        "if a newer flagstone wrote it, use that version; if it is damaged, remove it, and the next publication writes it again",
      { cause },
    )
  }
}
