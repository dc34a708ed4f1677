import { hash, type KeyObject } from "node:crypto"
import { type Manifest, parseManifest } from "../../proxy/contract/manifest.ts"
import { isSigned } from "../../proxy/contract/signature.ts"
import { Failure } from "../failure.ts"
import { inParallel } from "./in-parallel.ts"
import {
  documentPath,
  indexPath,
  manifestPath,
  manifestSignaturePath,
  pointerPath,
  pointerSignaturePath,
} from "./layout.ts"
import { formatManifest, isDocument, type Publication } from "./publication.ts"
import {
  type Claim,
  emptyIndex,
  type PublishedRevision,
  parseIndex,
  type RevisionIndex,
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
  /** The claim that moved the pointer last; `undefined` if there is no pointer or the index does not belong to it. */
  readonly fulfilled: Claim | undefined
  /** Later claims, which were interrupted or are under way. */
  readonly unfulfilled: readonly Claim[]
}

/** Reads a target. Throws `Failure` if it has files that no publication wrote. */
export async function readPublished(target: PublishTarget): Promise<Published> {
  // The others are read after the pointer: publishers write what belongs to a pointer before they move it.
  const storedPointer = await target.read(pointerPath)
  const [signature, storedIndex] = await Promise.all([
    target.read(pointerSignaturePath),
    target.read(indexPath),
  ])
  const index = storedIndex === undefined ? emptyIndex : readIndex(storedIndex, target)
  const pointer = storedPointer && readPointer(storedPointer, index, target)
  const at = index.claims.findIndex(({ publishedAt }) => publishedAt === pointer?.publishedAt)
  // Unless someone lost the index, others have published since: the first read was too long ago.
  if (at < 0 && pointer && !isSame(await target.read(pointerPath), storedPointer))
    return readPublished(target)
  return {
    pointer,
    storedPointer,
    signature,
    index,
    storedIndex,
    fulfilled: at < 0 ? undefined : index.claims[at],
    unfulfilled: at < 0 ? index.claims : index.claims.slice(0, at),
  }
}

/**
 * Reads a target, and leaves out the revisions without a manifest: their publishers were killed before they wrote it, so
 * no reader had them, and no one can go back to them. It is a request for each revision.
 */
export async function readWholeRevisions(target: PublishTarget): Promise<Published> {
  const published = await readPublished(target)
  const { index, fulfilled } = published
  const revisions = await inParallel(index.revisions, async (entry) => {
    const { revision } = entry
    const isThere =
      revision === fulfilled?.revision || (await target.read(manifestPath(revision))) !== undefined
    return isThere ? [entry] : []
  })
  return { ...published, index: { ...index, revisions: revisions.flat() } }
}

/**
 * Reads and verifies the only revision at a target whose name begins with `name`. With a `key` it also verifies the
 * signature: someone who can write to the target must not get our signature for their own manifest. Throws `Failure` if
 * the revision is missing, ambiguous or damaged.
 */
export async function readRevision(
  target: PublishTarget,
  index: RevisionIndex,
  name: string,
  key: KeyObject | undefined,
): Promise<Publication> {
  const { revision } = findRevision(target, index, name)
  const { stored, manifest } = await readManifest(target, revision)
  if (key !== undefined) {
    const signature = await target.read(manifestSignaturePath(revision))
    if (!isSigned(stored.bytes, signature?.bytes.toString("utf8") ?? "", key))
      throw new Failure(
        `${target.location}: ${manifestPath(revision)} is not signed by this key, so it is not signed again; build and publish that commit instead`,
      )
  }
  const documents = await readIntact(target, manifest.environments)
  for (const [environment, { file }] of Object.entries(manifest.environments))
    if (!documents.has(environment)) throw new Failure(`${target.location}: ${file} is missing or damaged`)
  return { revision, manifest, documents }
}

/** The only revision whose name begins with `name`. Throws `Failure` if there is none, or several. */
export function findRevision(
  target: PublishTarget,
  { revisions }: RevisionIndex,
  name: string,
): PublishedRevision {
  const found = revisions.filter(({ revision }) => revision.startsWith(name))
  const revision = found.find((each) => each.revision === name) ?? found[0]
  if (revision === undefined)
    throw new Failure(
      `${target.location} has no revision ${name}; \`flagstone publish --list\` lists those it has`,
    )
  if (found.length > 1 && revision.revision !== name)
    throw new Failure(`${found.length} revisions begin with ${name}; write more of the name`)
  return revision
}

/** The manifest of a revision at a target. Throws `Failure` if it is missing or damaged. */
export async function readManifest(target: PublishTarget, revision: string) {
  const stored = await target.read(manifestPath(revision))
  const manifest = stored && parseManifest(stored.bytes.toString("utf8"))
  if (manifest?.kind !== "valid")
    throw new Failure(`${target.location}: ${manifestPath(revision)} is missing or damaged`)
  return { stored: stored as StoredFile, manifest: manifest.value }
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

/** Whether the current publication is signed, by any key. */
export function hasSignature({ signature }: Published): boolean {
  return signature !== undefined && signature.bytes.length > 0
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
  { claims }: RevisionIndex,
  target: PublishTarget,
): Pointer | undefined {
  const manifest = parseManifest(stored.bytes.toString("utf8"))
  if (manifest.kind === "valid" && manifest.value.publishedAt !== undefined)
    return { stored, manifest: manifest.value, publishedAt: manifest.value.publishedAt }
  if (claims.length > 0) return undefined
  const reason = manifest.kind === "invalid" ? manifest.reason : "`flagstone publish` did not write it"
  throw new Failure(
    `${target.location}: ${pointerPath} is not a published manifest: ${reason}; publish to an empty target`,
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
