import type { Manifest } from "../contract/manifest.ts"
import { broken, type Result } from "../reload/fault.ts"
import { findReplay, type Imprint, proveSigned, type Trust } from "../reload/trust.ts"

/**
 * Returns the signature file's bytes if they hold a signature of the manifest; `undefined` if none is needed. A fault
 * otherwise, if the manifest is older than the `served` one, and if it is signed and has a different project or target.
 */
export async function proveManifest(
  manifestBytes: Buffer,
  manifest: Manifest,
  trust: Trust,
  readSignatures: () => Promise<Result<Buffer>>,
  served: Manifest | undefined,
): Promise<Result<Buffer | undefined>> {
  const proof = await proveSigned("manifest.json", manifestBytes, readSignatures, trust)
  if (proof.kind !== "good") return proof
  if (trust.publicKey !== undefined && served !== undefined && manifest.project !== served.project)
    return broken(
      `manifest.json is of project ${manifest.project}, not ${served.project}: if that is intended, empty --cache-dir and restart`,
    )
  const replay = findReplay(
    "manifest.json",
    imprintOfManifest(manifest),
    served && imprintOfManifest(served),
    trust,
    "go back with `flagstone publish --rollback`",
  )
  return replay ?? proof
}

/** A manifest's members about its publication. */
export function imprintOfManifest({ publishedAt, target }: Manifest): Imprint {
  return { publishedAt: publishedAt === undefined ? undefined : Date.parse(publishedAt), target }
}
