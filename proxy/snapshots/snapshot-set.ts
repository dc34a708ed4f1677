import { hash } from "node:crypto"
import { type ManifestEnvironment, parseManifest } from "../contract/manifest.ts"
import type { SnapshotSet } from "./snapshot-source.ts"

/** The manifest's name in every kind of store. */
export const manifestFile = "manifest.json"

/**
 * Reads a manifest and every snapshot that it names through `readFile` (a path relative to the manifest; it throws
 * where there is no such file) and verifies size and digest of each: what a source does, wherever the bytes lie.
 */
export async function readSnapshotSet(readFile: (file: string) => Promise<Buffer>): Promise<SnapshotSet> {
  const manifest = parseManifest((await readFile(manifestFile)).toString("utf8"))
  if (manifest.kind === "invalid") throw new Error(`${manifestFile} is not valid: ${manifest.reason}`)
  const documents = new Map<string, Buffer>()
  for (const [name, environment] of Object.entries(manifest.value.environments)) {
    const bytes = await readFile(environment.file)
    verifyDocument(bytes, environment)
    documents.set(name, bytes)
  }
  return { manifest: manifest.value, documents }
}

function verifyDocument(bytes: Buffer, { file, size, sha256 }: ManifestEnvironment): void {
  if (bytes.length !== size)
    throw new Error(
      `${file} has ${bytes.length} bytes where ${manifestFile} says ${size}: half-written or truncated`,
    )
  if (hash("sha256", bytes, "hex") !== sha256)
    throw new Error(`${file} has another SHA-256 than ${manifestFile} says: changed after the build`)
}
