import type { KeyObject } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { signBytes } from "../../proxy/contract/signature.ts"
import { type ApiLayout, apiFiles, refusePaths } from "./api-files.ts"
import { findChanges, type PathChange, type Wanted, wantedOf } from "./changes.ts"
import { inParallel } from "./in-parallel.ts"
import {
  currentFile,
  documentPath,
  immutableFile,
  manifestPath,
  manifestSignaturePath,
  pointerPath,
  pointerSignaturePath,
} from "./layout.ts"
import { formatManifest, formatPointer, type Publication } from "./publication.ts"
import { hasSignature, type Published, readIntact } from "./published.ts"
import { readClaimedPaths } from "./published-api.ts"
import type { Rollback } from "./revision-index.ts"
import { isProved, isSignedFirst, signAfter } from "./signatures.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/** Everything that must be done at a target to make a publication current. */
export interface Plan {
  readonly publication: Publication
  readonly publishedAt: string
  /** What the target had when the plan was made. */
  readonly published: Published
  readonly layout: ApiLayout
  /** Where readers find the target, for the manifest; `undefined`: it names no target. */
  readonly address: string | undefined
  /** `undefined`: this is not a rollback, and the target is not held afterwards. */
  readonly rollback: Rollback | undefined
  /** The immutable files. */
  readonly files: readonly Wanted[]
  /** The immutable files that the target does not have yet. */
  readonly immutables: readonly PathChange[]
  /** All API paths that have, had or may have a file. */
  readonly wanted: readonly Wanted[]
  /** The paths whose files differ now. */
  readonly api: readonly PathChange[]
  readonly pointer: PublishedFile
  /** `undefined`: the manifest is not signed, and never was. */
  readonly signature: PublishedFile | undefined
}

export interface PlanOptions {
  readonly layout: ApiLayout
  /** Present if it is a rollback. */
  readonly rollback?: Rollback | undefined
  readonly signingKey: KeyObject | undefined
  /** Where readers find the target, for the manifest; `undefined`: it names no target. */
  readonly address?: string | undefined
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number
}

/** Plans what a publication changes, and only reads. `undefined`: nothing, because it is current. */
export async function planPublication(
  target: PublishTarget,
  publication: Publication,
  published: Published,
  { layout, rollback, signingKey, address, now }: PlanOptions,
): Promise<Plan | undefined> {
  const publishedAt = timeOf(published, signingKey, now)
  const pointer = currentFile(pointerPath, formatPointer(publication.manifest, publishedAt, address))
  const files = immutableFiles(publication, signingKey).map((file) => ({ path: file.path, file }))
  const after = apiFiles(publication.documents, layout)
  const paths = await findApiPaths(target, published, layout, after)
  const wanted = wantedOf(paths, after)
  const isFirst = published.storedPointer === undefined && published.index.claims.length === 0
  const api = isFirst
    ? wanted.map((each) => ({ ...each, isThere: false }))
    : await findChanges(target, wanted)
  const lying = api.filter(({ isThere }) => isThere).map(({ path }) => path)
  refusePaths(publication, layout, [...after.keys(), ...lying])
  const plan = {
    publication,
    publishedAt,
    published,
    layout,
    address,
    rollback,
    files,
    immutables: await findChanges(target, files),
    wanted,
    api,
    pointer,
    signature: signatureOf(pointer, published, signingKey),
  }
  return isCurrent(plan, signingKey) ? undefined : plan
}

/** The paths of this publication, and those that may have been written for other publications. */
async function findApiPaths(
  target: PublishTarget,
  { pointer, fulfilled, index }: Published,
  layout: ApiLayout,
  files: ReadonlyMap<string, Buffer>,
): Promise<readonly string[]> {
  const claimed = await inParallel(index.claims, (claim) => readClaimedPaths(target, claim))
  const isForgotten = pointer !== undefined && fulfilled === undefined
  const environments = isForgotten ? pointer.manifest.environments : {}
  const forgotten = apiFiles(await readIntact(target, environments), { ...layout, perFlag: true })
  return [...new Set([...files.keys(), ...claimed.flat(), ...forgotten.keys()])]
}

/**
 * A time that neither the pointer nor a claim has, later than the pointer's if this key signed it, even if the
 * publishers' clocks differ: readers that verify refuse an older manifest.
 */
function timeOf({ pointer, signature, index }: Published, key: KeyObject | undefined, now: number): string {
  const believed = isProved(pointer?.stored, signature, key) ? pointer : undefined
  const taken = new Set([pointer, ...index.claims].map((each) => each && Date.parse(each.publishedAt)))
  let time = believed ? Math.max(now, Date.parse(believed.publishedAt)) : now
  while (taken.has(time)) time++
  return new Date(time).toISOString()
}

function immutableFiles(publication: Publication, key: KeyObject | undefined): readonly PublishedFile[] {
  const { revision, manifest, documents } = publication
  const bytes = formatManifest(manifest)
  const byPath = new Map<string, PublishedFile>() // equal environments share a document
  for (const [name, { sha256 }] of Object.entries(manifest.environments)) {
    const document = documents.get(name)
    if (document !== undefined) byPath.set(sha256, immutableFile(documentPath(sha256), document))
  }
  const signature = key && immutableFile(manifestSignaturePath(revision), Buffer.from(signBytes(bytes, key)))
  return [
    ...byPath.values(),
    immutableFile(manifestPath(revision), bytes),
    ...(signature === undefined ? [] : [signature]),
  ]
}

/** The signatures of the new and the current manifest, one per line. Empty if there is no key but there was a signature. */
function signatureOf(
  { bytes }: PublishedFile,
  { pointer, signature }: Published,
  key: KeyObject | undefined,
): PublishedFile | undefined {
  if (key === undefined) return signature && currentFile(pointerSignaturePath, Buffer.alloc(0))
  const before = { bytes: pointer?.stored.bytes, signatures: signature?.bytes }
  return currentFile(pointerSignaturePath, signAfter(bytes, before, key))
}

function isCurrent(
  { publication, published, immutables, api, layout, address, rollback }: Plan,
  key: KeyObject | undefined,
): boolean {
  const { pointer, signature, fulfilled, unfulfilled } = published
  if (pointer === undefined || fulfilled === undefined || unfulfilled.length > 0) return false
  if (immutables.length > 0 || api.length > 0 || fulfilled.perFlag !== layout.perFlag) return false
  if (!isDeepStrictEqual(fulfilled.rollback, rollback)) return false
  const isSame = pointer.stored.bytes.equals(
    formatPointer(publication.manifest, pointer.publishedAt, address),
  )
  if (!isSame || fulfilled.revision !== publication.revision) return false
  if (key === undefined) return !hasSignature(published)
  return isSignedFirst(pointer.stored.bytes, signature?.bytes, key)
}
