import type { Manifest } from "../contract/manifest.ts"
import { broken, type Result } from "../reload/fault.ts"
import { findReplay, type Imprint, proveSigned, type Trust } from "../reload/trust.ts"

/**
 * Returns the signature file's bytes if they hold a signature of the manifest. A fault otherwise, and if the manifest
 * has a different project or target than the `served` one, or is older.
 */
export function proveManifest(
  manifestBytes: Buffer,
  manifest: Manifest,
  trust: Trust,
  signatures: Result<Buffer>,
  served: Manifest | undefined,
): Result<Buffer> {
  const proof = proveSigned("manifest.json", manifestBytes, signatures, trust)
  if (proof.kind !== "good") return proof
  if (served !== undefined && manifest.project !== served.project)
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
