import type { KeyObject } from "node:crypto"
import type { Manifest } from "../contract/manifest.ts"
import { isSigned } from "../contract/signature.ts"

/** Whom the proxy believes about what is published. */
export interface Trust {
  /** The public half of the pair by which manifests are signed. */
  readonly publicKey: KeyObject
  /** Takes what was published before what is served, too. */
  readonly allowOlder: boolean
}

/** How one source proves its manifests. */
export interface Proof {
  readonly trust: Trust
  /** The text of the manifest's signature file; throws where there is none. */
  readonly readSignatures: () => Promise<Buffer>
  /** The manifest that is served; `undefined`: none yet. */
  readonly served: Manifest | undefined
}

/**
 * Throws where a manifest's signature does not hold, or where it is an old one: whoever can write to the store, but
 * has no signing key, could put back a revision whose flags were switched off since. Gives the signature file's text.
 */
export async function prove(manifestBytes: Buffer, manifest: Manifest, proof: Proof): Promise<Buffer> {
  const { trust, served } = proof
  const signatures = await proof.readSignatures()
  if (!isSigned(manifestBytes, signatures.toString("latin1"), trust.publicKey))
    throw new Error(
      "manifest.json is not signed by the key of --verify-key: publish it with FLAGSTONE_SIGNING_KEY",
    )
  if (!trust.allowOlder && isOlder(manifest, served))
    throw new Error(
      `manifest.json was published at ${manifest.publishedAt ?? "an unknown time"}, before the one that is served: ` +
        "go back with flagstone publish --rollback, or start with --allow-older",
    )
  return signatures
}

/** Whether a manifest was published before the one that is served. What says nothing of its time is older than what does. */
export function isOlder({ publishedAt }: Manifest, served: Manifest | undefined): boolean {
  if (served?.publishedAt === undefined) return false
  return publishedAt === undefined || Date.parse(publishedAt) < Date.parse(served.publishedAt)
}
