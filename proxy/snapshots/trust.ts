import type { KeyObject } from "node:crypto"
import type { Manifest } from "../contract/manifest.ts"
import { isSigned } from "../contract/signature.ts"
import { broken, good, type Result, unavailable } from "../reload/fault.ts"

/** Whose manifests the proxy accepts. */
export interface Trust {
  /** The public half of the pair by which manifests are signed. */
  readonly publicKey: KeyObject
  /** Also accepts what was published before the set that is served. */
  readonly allowOlder: boolean
  /** The only `target` that a manifest may have; `undefined`: that of the set that is served, if it has one. */
  readonly target?: string | undefined
}

/**
 * The signature file's bytes, if they hold a signature of the manifest. A fault if not, and if the manifest is of another
 * project or place than the one that is `served`, or older. Otherwise someone who can write to the store, but cannot sign,
 * could put there what was signed for another place, or before flags were switched off. A manifest and signatures from
 * different moments are a fault that passes.
 */
export function prove(
  manifestBytes: Buffer,
  manifest: Manifest,
  { publicKey, allowOlder, target: pinned }: Trust,
  signatures: Result<Buffer>,
  served: Manifest | undefined,
): Result<Buffer> {
  if (signatures.kind !== "good") return signatures
  if (!isSigned(manifestBytes, signatures.value.toString("latin1"), publicKey))
    return unavailable(
      "manifest.json is not signed by the key of --verify-key: publish it with FLAGSTONE_SIGNING_KEY",
    )
  const target = pinned ?? served?.target
  if (served !== undefined && manifest.project !== served.project)
    return broken(
      `manifest.json is of project ${manifest.project}, not ${served.project}: if that is meant, remove what --cache-dir has and start again`,
    )
  if (target !== undefined && manifest.target !== target)
    return broken(
      `manifest.json was published to ${manifest.target ?? "a place that it does not name"}, not to ${target}: if that is meant, name it with --verify-target`,
    )
  if (!allowOlder && isOlder(manifest, served))
    return broken(
      `manifest.json was published at ${manifest.publishedAt ?? "an unknown time"}, before the one that is served: ` +
        "go back with flagstone publish --rollback, or start with --allow-older",
    )
  return good(signatures.value)
}

/** Whether a manifest was published before the one that is served. One without a time is older than one with a time. */
export function isOlder({ publishedAt }: Manifest, served: Manifest | undefined): boolean {
  if (served?.publishedAt === undefined) return false
  return publishedAt === undefined || Date.parse(publishedAt) < Date.parse(served.publishedAt)
}
