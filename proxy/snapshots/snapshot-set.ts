import { type ManifestEnvironment, manifestFile, parseManifest } from "../contract/manifest.ts"
import { digest } from "./digest.ts"
import type { SnapshotSet } from "./snapshot-source.ts"
import { type Proof, prove } from "./trust.ts"

/** How a source reads the document of an environment; throws an error that says what is wrong with it. */
export type ReadDocument = (environment: ManifestEnvironment) => Promise<Buffer>

/**
 * Turns a manifest's bytes and the documents that it names into a verified set, wherever they lie: every source reads
 * by this. Throws where the manifest is not valid, or with a `proof` not proved, and where not one of its documents is.
 */
export async function readSnapshotSet(
  manifestBytes: Buffer,
  readDocument: ReadDocument,
  proof?: Proof,
): Promise<SnapshotSet> {
  const manifest = parseManifest(manifestBytes.toString("utf8"))
  if (manifest.kind === "invalid") throw new Error(`${manifestFile} is not valid: ${manifest.reason}`)
  const signatures = proof && (await prove(manifestBytes, manifest.value, proof))
  const documents = new Map<string, Buffer>()
  const faults = new Map<string, Error>()
  for (const [name, environment] of Object.entries(manifest.value.environments)) {
    try {
      const bytes = await readDocument(environment)
      await verifyDocument(bytes, environment)
      documents.set(name, bytes)
    } catch (error) {
      faults.set(name, error as Error)
    }
  }
  const [first] = faults.values()
  if (documents.size === 0 && first !== undefined) throw first
  return { manifest: manifest.value, manifestBytes, documents, faults, ...(signatures && { signatures }) }
}

async function verifyDocument(bytes: Buffer, { file, size, sha256 }: ManifestEnvironment): Promise<void> {
  if (bytes.length !== size)
    throw new Error(
      `${file} has ${bytes.length} bytes where ${manifestFile} says ${size}: half-written or truncated`,
    )
  if ((await digest(bytes)) !== sha256)
    throw new Error(`${file} has another SHA-256 than ${manifestFile} says: changed after the build`)
}
