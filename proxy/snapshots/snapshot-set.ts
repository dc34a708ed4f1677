import { type Manifest, type ManifestEnvironment, manifestFile, parseManifest } from "../contract/manifest.ts"
import { digest } from "../reload/digest.ts"
import { broken, type Fault, good, type Result, unavailable } from "../reload/fault.ts"
import type { Trust } from "../reload/trust.ts"
import { proveManifest } from "./prove-manifest.ts"

/**
 * A build as it was found. Each environment is in either `documents` or `faults`, and at least one is in `documents`:
 * environments fail independently.
 */
export interface SnapshotSet {
  readonly manifest: Manifest
  /** The manifest's own bytes. */
  readonly manifestBytes: Buffer
  /** The text of the manifest's signature file; `undefined` if no signature was asked for. */
  readonly signatures?: Buffer
  /** By environment name: the bytes of its snapshot, verified against the manifest. */
  readonly documents: ReadonlyMap<string, Buffer>
  /** By environment name: what is wrong with a missing, truncated or altered document, and how to fix it. */
  readonly faults: ReadonlyMap<string, Fault>
}

/** A set's manifest, and functions that read its other files. */
export interface SetParts {
  readonly manifestBytes: Buffer
  readonly readDocument: (environment: ManifestEnvironment) => Promise<Result<Buffer>>
  readonly readSignatures: () => Promise<Result<Buffer>>
  readonly trust: Trust
}

/**
 * Verifies a manifest and the documents that it names, for every source and the cache. `known` is the set that is
 * served. A fault if the manifest is not valid or not trusted, or none of its documents is good.
 */
export async function readSnapshotSet(
  { manifestBytes, readDocument, readSignatures, trust }: SetParts,
  known: SnapshotSet | undefined,
): Promise<Result<SnapshotSet>> {
  const parsed = parseManifest(manifestBytes.toString("utf8"))
  if (parsed.kind === "invalid") return broken(`${manifestFile} is not valid: ${parsed.reason}`)
  const manifest = parsed.value
  const proof = await proveManifest(manifestBytes, manifest, trust, readSignatures, known?.manifest)
  if (proof.kind !== "good") return proof
  const documents = new Map<string, Buffer>()
  const faults = new Map<string, Fault>()
  for (const [name, environment] of Object.entries(manifest.environments)) {
    const document = await readDocument(environment)
    const fault = document.kind === "good" ? await verify(document.value, environment) : document
    if (document.kind === "good" && fault === undefined) documents.set(name, document.value)
    else if (fault !== undefined) faults.set(name, fault)
  }
  if (documents.size === 0) return worst(faults.values())
  return good({ manifest, manifestBytes, documents, faults, ...(proof.value && { signatures: proof.value }) })
}

/** One of several faults: one that may be temporary, if there is any, because then trying again may help. */
export function worst(faults: Iterable<Fault>): Fault {
  const all = [...faults]
  return all.find(({ kind }) => kind === "unavailable") ?? all[0] ?? broken("there is nothing")
}

/** A document that does not match may be half-written, or older or newer than the manifest: that may be temporary. */
async function verify(
  bytes: Buffer,
  { file, size, sha256 }: ManifestEnvironment,
): Promise<Fault | undefined> {
  if (bytes.length !== size)
    return unavailable(
      `${file} has ${bytes.length} bytes instead of the ${size} in ${manifestFile}: half-written or truncated`,
    )
  if ((await digest(bytes)) !== sha256)
    return unavailable(`${file} does not have the SHA-256 in ${manifestFile}: changed after the build`)
  return undefined
}
