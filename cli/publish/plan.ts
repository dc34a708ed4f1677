import type { KeyObject } from "node:crypto"
import { isSigned, signManifest } from "../../proxy/contract/signature.ts"
import { type ApiPlaces, apiFiles } from "./api-files.ts"
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
import { type ApiChange, planApi } from "./move-api.ts"
import { formatManifest, formatPointer, type Publication } from "./publication.ts"
import { type Published, readClaimed, readIntact } from "./published.ts"
import { holds } from "./send.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/** Everything that is to be done at a target to make a publication its current one. */
export interface Plan {
  readonly publication: Publication
  readonly publishedAt: string
  /** What was there when the plan was made. */
  readonly published: Published
  readonly places: ApiPlaces
  /** The immutable files, those that are there already among them. */
  readonly files: readonly PublishedFile[]
  /** Those of them that are not there yet. */
  readonly immutables: readonly PublishedFile[]
  readonly api: readonly ApiChange[]
  readonly pointer: PublishedFile
  /** `undefined`: none, and one that is there goes away. */
  readonly signature: PublishedFile | undefined
}

export interface PlanOptions {
  readonly places: ApiPlaces
  readonly signingKey: KeyObject | undefined
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number
}

/** Finds out what a publication changes, and only reads for it. `undefined`: nothing, it is the current one. */
export async function planPublication(
  target: PublishTarget,
  publication: Publication,
  published: Published,
  { places, signingKey, now }: PlanOptions,
): Promise<Plan | undefined> {
  const publishedAt = laterThanAll(published, now)
  const pointer = currentFile(pointerPath, formatPointer(publication.manifest, publishedAt))
  const files = immutableFiles(publication, signingKey)
  const isThere = await inParallel(files, (file) => holds(target, file))
  const plan = {
    publication,
    publishedAt,
    published,
    places,
    files,
    immutables: files.filter((_, at) => !isThere[at]),
    api: await planApiChanges(target, publication, published, places),
    pointer,
    signature: signingKey && currentFile(pointerSignaturePath, signPointer(pointer, published, signingKey)),
  }
  return isCurrent(plan, signingKey) ? undefined : plan
}

/** Later than everything that was ever tried there, whatever the clocks of the publishers say. */
function laterThanAll({ pointer, index }: Published, now: number): string {
  const times = [pointer?.publishedAt, ...index.claims.map(({ publishedAt }) => publishedAt)]
  const latest = Math.max(...times.map((time) => (time === undefined ? 0 : Date.parse(time) + 1)))
  return new Date(Math.max(now, latest)).toISOString()
}

function immutableFiles(publication: Publication, key: KeyObject | undefined): readonly PublishedFile[] {
  const { revision, manifest, documents } = publication
  const bytes = formatManifest(manifest)
  const byPath = new Map<string, PublishedFile>() // environments without differences share a document
  for (const [name, { sha256 }] of Object.entries(manifest.environments)) {
    const document = documents.get(name)
    if (document !== undefined) byPath.set(sha256, immutableFile(documentPath(sha256), document))
  }
  const signature =
    key && immutableFile(manifestSignaturePath(revision), Buffer.from(signManifest(bytes, key)))
  return [
    ...byPath.values(),
    immutableFile(manifestPath(revision), bytes),
    ...(signature === undefined ? [] : [signature]),
  ]
}

async function planApiChanges(
  target: PublishTarget,
  publication: Publication,
  { pointer, fulfilled, unfulfilled }: Published,
  places: ApiPlaces,
): Promise<readonly ApiChange[]> {
  const after = apiFiles(publication.documents, places)
  if (pointer === undefined && unfulfilled.length === 0) return planApi(new Map(), after, undefined)
  const held = new Map<string, Buffer>()
  for (const [name, { sha256 }] of Object.entries(publication.manifest.environments)) {
    const document = publication.documents.get(name)
    if (document !== undefined) held.set(sha256, document)
  }
  const environments = pointer?.manifest.environments ?? {}
  const old = await readIntact(target, environments, held)
  const before = fulfilled === undefined ? new Map() : apiFiles(old, fulfilled)
  const isKnown = unfulfilled.length === 0 && old.size === Object.keys(environments).length
  if (isKnown) return planApi(before, after, undefined)
  const leftovers = new Set<string>()
  for (const claim of unfulfilled)
    for (const path of apiFiles(await readClaimed(target, claim), claim).keys()) leftovers.add(path)
  return planApi(before, after, leftovers)
}

/** The new line, and the one by which the manifest that is still there holds. */
function signPointer({ bytes }: PublishedFile, { pointer, signature }: Published, key: KeyObject): Buffer {
  const lines = (signature ?? "").split("\n").filter((line) => line !== "")
  const holding = lines.filter((line) => pointer && isSigned(pointer.stored.bytes, line, key))
  const [old] = holding.length > 0 ? holding : lines // none holds by this key when it is a new key
  return Buffer.from(signManifest(bytes, key) + (old === undefined ? "" : `${old}\n`))
}

function isCurrent({ publication, published, immutables, api, places }: Plan, key: KeyObject | undefined) {
  const { pointer, signature, fulfilled, unfulfilled } = published
  if (pointer === undefined || fulfilled === undefined || unfulfilled.length > 0) return false
  if (immutables.length > 0 || api.length > 0 || fulfilled.perFlag !== places.perFlag) return false
  const isSame = pointer.stored.bytes.equals(formatPointer(publication.manifest, pointer.publishedAt))
  if (!isSame || fulfilled.revision !== publication.revision) return false
  return key === undefined
    ? signature === undefined
    : isSigned(pointer.stored.bytes, signature?.split("\n")[0] ?? "", key)
}
