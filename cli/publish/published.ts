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
import { type Claim, emptyIndex, parseIndex, type RevisionIndex } from "./revision-index.ts"
import type { PublishTarget, StoredFile } from "./target.ts"

/** The current manifest of a target. */
export interface Pointer {
  readonly stored: StoredFile
  readonly manifest: Manifest
  readonly publishedAt: string
}

/** What a target holds, as far as it decides what is to be done. */
export interface Published {
  /** `undefined` before the first publication. */
  readonly pointer: Pointer | undefined
  /** What lies at the pointer's path, whether or not it can be read. */
  readonly storedPointer: StoredFile | undefined
  /** The pointer's signature file; an empty one was of a pointer before. */
  readonly signature: StoredFile | undefined
  readonly index: RevisionIndex
  readonly storedIndex: StoredFile | undefined
  /** The claim that made the pointer what it is; `undefined` without a pointer, or where the index is not the pointer's. */
  readonly fulfilled: Claim | undefined
  /** Those that came after it and were cut off, or are under way. */
  readonly unfulfilled: readonly Claim[]
}

/** Throws `Failure` where the target holds something that no publication left there. */
export async function readPublished(target: PublishTarget): Promise<Published> {
  for (let tries = 1; ; tries++) {
    // Before the pointer: who finds a pointer of their own knows then that no later publisher wrote this signature.
    const signature = await target.read(pointerSignaturePath)
    const [storedPointer, storedIndex] = await Promise.all([target.read(pointerPath), target.read(indexPath)])
    const index = storedIndex === undefined ? emptyIndex : readIndex(storedIndex, target)
    const pointer = storedPointer && readPointer(storedPointer, index, target)
    const at = index.claims.findIndex(({ publishedAt }) => publishedAt === pointer?.publishedAt)
    // The two were read while somebody published, or they do not belong together.
    if (pointer !== undefined && at < 0 && tries < mostReads) continue
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
}

const mostReads = 4

/**
 * The one revision at a target whose name begins with `name`, whole and verified; with a `key`, its signature, too:
 * who can write to the target must not get our signature for a manifest of their own. Throws `Failure`.
 */
export async function readRevision(
  target: PublishTarget,
  index: RevisionIndex,
  name: string,
  key: KeyObject | undefined,
): Promise<Publication> {
  const found = index.revisions.filter(({ revision }) => revision.startsWith(name))
  const revision = found.find((each) => each.revision === name)?.revision ?? found[0]?.revision
  if (revision === undefined)
    throw new Failure(
      `${target.location} has no revision ${name}; flagstone publish --list shows those it has`,
    )
  if (found.length > 1 && revision !== name)
    throw new Failure(`${found.length} revisions begin with ${name}; write more of it`)
  const stored = await target.read(manifestPath(revision))
  const manifest = stored && parseManifest(stored.bytes.toString("utf8"))
  if (manifest?.kind !== "valid")
    throw new Failure(`${target.location}: ${manifestPath(revision)} is not there`)
  if (key !== undefined) {
    const signature = await target.read(manifestSignaturePath(revision))
    if (stored === undefined || !isSigned(stored.bytes, signature?.bytes.toString("utf8") ?? "", key))
      throw new Failure(
        `${target.location}: ${manifestPath(revision)} is not signed by this key, so it is not signed again; build and publish that commit instead`,
      )
  }
  const documents = await readIntact(target, manifest.value.environments)
  for (const [environment, { file }] of Object.entries(manifest.value.environments))
    if (!documents.has(environment)) throw new Failure(`${target.location}: ${file} is missing or damaged`)
  return { revision, manifest: manifest.value, documents }
}

/** The documents of a manifest's environments, those that are there and whole, by environment name. */
export async function readIntact(
  target: PublishTarget,
  environments: Manifest["environments"],
): Promise<ReadonlyMap<string, Buffer>> {
  const intact = new Map<string, Buffer>()
  await inParallel(Object.entries(environments), async ([name, environment]) => {
    const bytes = (await target.read(documentPath(environment.sha256)))?.bytes
    if (bytes !== undefined && isDocument(bytes, environment)) intact.set(name, bytes)
  })
  return intact
}

/** Whether what is published was signed, by whatever key. */
export function hasSignature({ signature }: Published): boolean {
  return signature !== undefined && signature.bytes.length > 0
}

/** The publication under a name of its own where its name is taken by other bytes: another Flagstone built that commit. */
export async function nameApart(target: PublishTarget, publication: Publication): Promise<Publication> {
  const bytes = formatManifest(publication.manifest)
  const stored = await target.read(manifestPath(publication.revision))
  if (stored === undefined || stored.bytes.equals(bytes)) return publication
  return { ...publication, revision: `${publication.revision}-${hash("sha256", bytes).slice(0, 12)}` }
}

/** `undefined`: it is damaged, and the next publication replaces it. Throws `Failure` where it may be somebody else's. */
function readPointer(
  stored: StoredFile,
  { claims }: RevisionIndex,
  target: PublishTarget,
): Pointer | undefined {
  const manifest = parseManifest(stored.bytes.toString("utf8"))
  if (manifest.kind === "valid" && manifest.value.publishedAt !== undefined)
    return { stored, manifest: manifest.value, publishedAt: manifest.value.publishedAt }
  if (claims.length > 0) return undefined
  const reason = manifest.kind === "invalid" ? manifest.reason : "flagstone publish did not write it"
  throw new Failure(
    `${target.location}: ${pointerPath} is not a published manifest: ${reason}; publish to an empty place`,
  )
}

function readIndex(stored: StoredFile, target: PublishTarget): RevisionIndex {
  try {
    return parseIndex(stored.bytes.toString("utf8"))
  } catch (cause) {
    throw new Failure(
      `${target.location}: ${indexPath} is not valid: ${(cause as Error).message}; ` +
        "where a newer flagstone wrote it, use that; where it is damaged, remove it, and the next publication writes it again",
      { cause },
    )
  }
}
