import { createHmac, hash } from "node:crypto"
import { httpErrors } from "../../proxy/contract/http.ts"
import { type Manifest, manifestFile } from "../../proxy/contract/manifest.ts"
import { signatureFile, signatureSuffix } from "../../proxy/contract/signature.ts"
import { flagsPath } from "../../sdk/contract/paths.ts"
import type { PublishedFile } from "./target.ts"

/** The manifest that decides which revision readers see. */
export const pointerPath = manifestFile
/** The signature of the pointer. */
export const pointerSignaturePath = signatureFile
/** The publisher's own record; readers do not use it. */
export const indexPath = "revisions.json"
/** The body with which a server should answer for a missing flag: the same bytes as the proxy's. */
export const notFoundPath = "404.json"

export const documentPath = (sha256: string) => `snapshots/${sha256}.json`
export const manifestPath = (revision: string) => `manifests/${revision}.json`
export const manifestSignaturePath = (revision: string) => manifestPath(revision) + signatureSuffix

/** The seconds for which a shared cache may answer without asking the target. */
export const pointerMaxAge = 30

const immutable = "public, max-age=31536000, immutable"
const shortLived = `public, max-age=${pointerMaxAge}, stale-while-revalidate=3600, stale-if-error=86400`

/** A file whose path always has the same bytes. */
export function immutableFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: immutable }
}

/** A file that changes with the current revision. */
export function currentFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: shortLived }
}

/**
 * A file that changes and that no cache may keep: a key that is revoked must not live on in a CDN, and a signature there
 * must not be older than its manifest.
 */
export function revalidatedFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: "no-cache" }
}

/** A file that only the publisher reads. */
export function privateFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: "no-store" }
}

/** How many bytes a server may answer for a path: a signature is short, but a page that says that there is none may not be. */
export function longestAt(path: string): number {
  return path.endsWith(signatureSuffix) ? 1_048_576 : 512 * 1_048_576
}

function contentTypeOf(path: string): string {
  if (path.endsWith(signatureSuffix)) return "text/plain"
  return path.endsWith(".yaml") ? "application/yaml" : "application/json"
}

/** The folder of an environment's API paths: its name and, with a secret, 128 bits that cannot be guessed. */
export function baseOf(project: string, environment: string, secret: string | undefined): string {
  if (secret === undefined) return environment
  const digest = createHmac("sha256", secret).update(`${project}/${environment}`).digest("hex")
  return `${environment}-${digest.slice(0, 32)}`
}

/** The path that an SDK with this base address asks for: the list, or with a key one flag. */
export function apiPath(base: string, key?: string): string {
  return key === undefined ? base + flagsPath : `${base}${flagsPath}/${key}`
}

/** Whether SDKs ask for a path; these paths have no file extension. */
export function isApiPath(path: string): boolean {
  return apiPathPattern.test(path)
}

const apiPathPattern = new RegExp(`^[^/]+${flagsPath}(/|$)`)

/** Whether a path is an environment's list of flags. */
export function isListPath(path: string): boolean {
  return path.endsWith(flagsPath) && path.indexOf("/") === path.length - flagsPath.length
}

/**
 * Whether a flag key can be the end of an address: servers and clients resolve `.` and `..` and merge slashes, and
 * characters that build never allows in a key (`?`, `#`, `%`, `+`, blanks, backslashes) have a meaning in addresses.
 */
export function isAddressable(key: string): boolean {
  const names = key.split("/")
  return /^[A-Za-z0-9._/-]+$/.test(key) && names.every((name) => !["", ".", ".."].includes(name))
}

/** The body for a missing flag. */
export const notFoundBody = Buffer.from(JSON.stringify({ error: httpErrors.flagNotFound.error }))

/**
 * The name of a publication: its commit, followed, if there are uncommitted changes, by part of the digest, because two
 * builds of one commit may then differ.
 */
export function revisionName({ revision, dirty }: Manifest, bytes: Uint8Array): string {
  if (revision !== null && dirty === undefined) return revision
  return `${revision === null ? "uncommitted" : `${revision}-dirty`}-${hash("sha256", bytes).slice(0, 12)}`
}
