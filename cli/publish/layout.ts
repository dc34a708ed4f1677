import { createHmac, hash } from "node:crypto"
import { flagsPath, httpErrors } from "../../proxy/contract/http.ts"
import { type Manifest, manifestFile, signatureFile } from "../../proxy/contract/manifest.ts"
import { signatureSuffix } from "../../proxy/contract/signature.ts"
import type { PublishedFile } from "./target.ts"

/** What decides which revision readers see. */
export const pointerPath = manifestFile
/** The signature of the pointer. */
export const pointerSignaturePath = signatureFile
/** What the publisher remembers; readers have no use for it. */
export const indexPath = "revisions.json"
/** What a server should answer for a flag that is not there: the proxy's own bytes. */
export const notFoundPath = "404.json"

export const documentPath = (sha256: string) => `snapshots/${sha256}.json`
export const manifestPath = (revision: string) => `manifests/${revision}.json`
export const manifestSignaturePath = (revision: string) => manifestPath(revision) + signatureSuffix

/** The seconds for which a shared cache may answer without asking. */
export const pointerMaxAge = 30

const immutable = "public, max-age=31536000, immutable"
const shortLived = `public, max-age=${pointerMaxAge}, stale-while-revalidate=3600, stale-if-error=86400`

/** A file that is never another one under its path. */
export function immutableFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: immutable }
}

/** A file that changes with the current revision. */
export function currentFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: shortLived }
}

/** A file for the publisher alone. */
export function privateFile(path: string, bytes: Uint8Array): PublishedFile {
  return { path, bytes, contentType: contentTypeOf(path), cacheControl: "no-store" }
}

function contentTypeOf(path: string): string {
  return path.endsWith(signatureSuffix) ? "text/plain" : "application/json"
}

/**
 * The folder below which an environment has the API's paths: its name, and with a secret also 128 bits that nobody
 * guesses without it.
 */
export function baseOf(project: string, environment: string, secret: string | undefined): string {
  if (secret === undefined) return environment
  const digest = createHmac("sha256", secret).update(`${project}/${environment}`).digest("hex")
  return `${environment}-${digest.slice(0, 32)}`
}

/** Where an SDK with this base address asks for the list, and, with a key, for one flag. */
export function apiPath(base: string, key?: string): string {
  return key === undefined ? base + flagsPath : `${base}${flagsPath}/${key}`
}

/** Whether a path is one that SDKs ask for; such a file's name has no ending of its own. */
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
 * what build never makes a key of (`?`, `#`, `%`, `+`, blanks, backslashes) means something else in an address.
 */
export function isAddressable(key: string): boolean {
  const names = key.split("/")
  return /^[A-Za-z0-9._/-]+$/.test(key) && names.every((name) => !["", ".", ".."].includes(name))
}

/** The answer for a flag that is not there. */
export const notFoundBody = Buffer.from(JSON.stringify({ error: httpErrors.flagNotFound.error }))

/**
 * The name of a publication: the commit, and of what no commit holds a part of the digest, too, because two such builds
 * may differ.
 */
export function revisionName({ revision, dirty }: Manifest, bytes: Uint8Array): string {
  if (revision !== null && dirty === undefined) return revision
  return `${revision === null ? "uncommitted" : `${revision}-dirty`}-${hash("sha256", bytes).slice(0, 12)}`
}
