import type { KeyObject } from "node:crypto"
import { isSigned, signBytes } from "../../proxy/contract/signature.ts"
import type { StoredFile } from "./target.ts"

/**
 * The signature file of a file that is about to replace another: the signatures of the new file and of the previous
 * one, one per line, so that it is valid with whichever of the two files readers find.
 */
export function signAfter(
  bytes: Uint8Array,
  before: { readonly bytes: Uint8Array | undefined; readonly signatures: Buffer | undefined },
  key: KeyObject,
): Buffer {
  const lines = (before.signatures?.toString("utf8") ?? "").split("\n").filter((line) => line !== "")
  const holding = lines.filter((line) => before.bytes && isSigned(before.bytes, line, key))
  const [old] = holding.length > 0 ? holding : lines // with a new key no old signature is valid
  return Buffer.from(signBytes(bytes, key) + (old === undefined ? "" : `${old}\n`))
}

/**
 * Whether a file at a target is signed by the key that is used now. Its time is trusted only then: an attacker who can
 * write there but not sign could otherwise set a time in the far future.
 */
export function isProved(
  stored: StoredFile | undefined,
  signature: StoredFile | undefined,
  key: KeyObject | undefined,
): boolean {
  return (
    key !== undefined &&
    stored !== undefined &&
    isSigned(stored.bytes, signature?.bytes.toString("utf8") ?? "", key)
  )
}

/** Whether the first signature is this key's signature of these bytes. */
export function isSignedFirst(bytes: Uint8Array, signatures: Buffer | undefined, key: KeyObject): boolean {
  const [first = ""] = signatures?.toString("utf8").split("\n") ?? []
  return isSigned(bytes, first, key)
}
