import type { KeyObject } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { signBytes } from "../../proxy/contract/signature.ts"
import { type ApiLayout, apiFiles, refusePaths } from "./api-files.ts"
import { findChanges, type PathChange, type Wanted, wantedOf } from "./changes.ts"
import { holdOf } from "./hold.ts"
import {
  currentFile,
  documentPath,
  immutableFile,
  indexPath,
  manifestPath,
  manifestSignaturePath,
  pointerPath,
  pointerSignaturePath,
  privateFile,
  revalidatedFile,
} from "./layout.ts"
import { formatManifest, formatPointer, type Publication } from "./publication.ts"
import { type Published, readIntact } from "./published.ts"
import { readKnownPaths } from "./published-api.ts"
import { addRevision, formatIndex, lastOf, type Rollback, recordOf } from "./revision-index.ts"
import { hasSignature, isProved, signAfter } from "./signatures.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/** Everything that must be done at a target to make a publication current. */
export interface Plan {
  readonly publication: Publication
  /** What the target had when the plan was made. */
  readonly published: Published
  /** The immutable files. */
  readonly files: readonly Wanted[]
  /** The immutable files that the target does not have yet. */
  readonly immutables: readonly PathChange[]
  /** All API paths that have, had or may have a file. */
  readonly paths: readonly string[]
  /** The paths whose files differ now. */
  readonly api: readonly PathChange[]
  /** The index with the publication; `undefined`: the pointer stays, and what belongs to it is repaired. */
  readonly index: PublishedFile | undefined
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
  options: PlanOptions,
): Promise<Plan | undefined> {
  const { layout, signingKey } = options
  const files = immutableFiles(publication, signingKey).map((file) => ({ path: file.path, file }))
  const immutables = await findChanges(target, files)
  const after = apiFiles(publication.documents, layout)
  const known = [
    ...(await readKnownPaths(target, published)),
    ...(await readForgottenPaths(target, published, layout)),
  ]
  const paths = [...new Set([...after.keys(), ...known])]
  const wanted = wantedOf(paths, after)
  const isFirst = published.storedPointer === undefined && published.index.revisions.length === 0
  const api = isFirst
    ? wanted.map((each) => ({ ...each, stored: undefined }))
    : await findChanges(target, wanted)
  const existing = api.filter(({ stored }) => stored !== undefined).map(({ path }) => path)
  refusePaths(publication, layout, [...after.keys(), ...existing])

  const plan = { publication, published, files, immutables, paths, api }
  if (published.pointer === undefined || !isCurrent(publication, published, options))
    return { ...plan, ...planMove(publication, published, api, options) }
  if (immutables.length === 0 && api.length === 0) return undefined
  const pointer = currentFile(pointerPath, published.pointer.stored.bytes)
  return { ...plan, index: undefined, pointer, signature: undefined }
}

/** The files that make a publication current. */
function planMove(
  { revision, manifest }: Publication,
  published: Published,
  api: readonly PathChange[],
  { layout, rollback, signingKey, address, now }: PlanOptions,
): Pick<Plan, "index" | "pointer" | "signature"> {
  const { index, current } = published
  const publishedAt = timeOf(published, signingKey, now)
  const pointer = currentFile(
    pointerPath,
    formatPointer(manifest, publishedAt, address, rollback !== undefined),
  )
  const record = recordOf(revision, manifest, { publishedAt, target: address })
  const added = { ...record, layout, ...(rollback && { rollback }) }
  const signed = { stored: published.pointer?.stored, signature: published.signature }
  const signatures = signAfter(pointer.bytes, signed, signingKey)
  const isClean = api.every(({ file }) => file !== undefined)
  return {
    index: privateFile(indexPath, formatIndex(addRevision(index, added, { current, isClean }))),
    pointer,
    signature: signatures && revalidatedFile(pointerSignaturePath, signatures),
  }
}

/** The API paths of the pointer's revision, if the index does not know its layout, whatever that was. */
async function readForgottenPaths(
  target: PublishTarget,
  { pointer, current }: Published,
  layout: ApiLayout,
): Promise<readonly string[]> {
  if (pointer === undefined || current?.layout !== undefined) return []
  const documents = await readIntact(target, pointer.manifest.environments)
  return [...apiFiles(documents, { ...layout, perFlag: true }).keys()]
}

/**
 * A time that nothing published has, later than that of what readers have even if publishers' clocks differ: they refuse
 * an older manifest. Whoever signs believes only a time that the same key signed.
 */
function timeOf({ pointer, signature, index }: Published, key: KeyObject | undefined, now: number): string {
  const isBelieved = key === undefined || isProved(pointer?.stored, signature, key)
  const last = pointer ?? lastOf(index) // what readers had, if the pointer is lost
  const times = [last?.publishedAt ?? "", ...index.revisions.map((one) => one.publishedAt)]
  const taken = new Set(times.map((time) => Date.parse(time)))
  let time = isBelieved && last !== undefined ? Math.max(now, Date.parse(last.publishedAt)) : now
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

/** Whether the pointer, its signature and the index are what this publication would write. */
function isCurrent(
  publication: Publication,
  published: Published,
  { layout, rollback, address, signingKey }: PlanOptions,
): boolean {
  const { pointer, signature, current } = published
  if (pointer === undefined || current?.revision !== publication.revision) return false
  if (!isDeepStrictEqual([current.layout, holdOf(published)?.rollback], [layout, rollback])) return false
  const bytes = formatPointer(publication.manifest, pointer.publishedAt, address, rollback !== undefined)
  if (!pointer.stored.bytes.equals(bytes)) return false
  return signingKey === undefined ? !hasSignature(published) : isProved(pointer.stored, signature, signingKey)
}
