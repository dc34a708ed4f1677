import type { KeyObject } from "node:crypto"
import { isSigned, signBytes } from "../../proxy/contract/signature.ts"
import type { StoredFile } from "./target.ts"

/**
 * The signature file of a file that is about to replace another: their signatures, one per line, the new one first, so
 * that it is valid with whichever file readers find. Those before the previous file's are of publishers that may still
 * put their files there. Readers look at no more than four.
 */
export function signAfter(
  bytes: Uint8Array,
  before: { readonly bytes: Uint8Array | undefined; readonly signatures: Buffer | undefined },
  key: KeyObject,
): Buffer {
  const lines = (before.signatures?.toString("utf8") ?? "").split("\n").filter((line) => line.length === 88)
  const at = lines.findIndex((line) => before.bytes && isSigned(before.bytes, line, key))
  // With a new key no old signature is valid.
  const old = at < 0 ? lines.slice(0, 3) : [...lines.slice(0, Math.min(at, 2)), ...lines.slice(at, at + 1)]
  return Buffer.from(signBytes(bytes, key) + old.map((line) => `${line}\n`).join(""))
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
