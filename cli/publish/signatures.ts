import type { KeyObject } from "node:crypto"
import { isSigned, signBytes } from "../../proxy/contract/signature.ts"
import type { StoredFile } from "./target.ts"

/** A file at a target and its signature file, which is empty if it belonged to an earlier file. */
export interface SignedFile {
  readonly stored: StoredFile | undefined
  readonly signature: StoredFile | undefined
}

/**
 * The signature file of a file that is about to replace another: their signatures, one per line, the new one first, so
 * that it is valid with whichever file readers find, also in a cache. Signatures before the previous file's belong to
 * publishers that may still put their files there, those after it to earlier files. Readers look at no more than four.
 * Without a key, the signatures go; `undefined`: there were none.
 */
export function signAfter(
  bytes: Uint8Array,
  { stored, signature }: SignedFile,
  key: KeyObject | undefined,
): Buffer | undefined {
  if (key === undefined) return signature && Buffer.alloc(0)
  const lines = (signature?.bytes.toString("utf8") ?? "").split("\n").filter((line) => line.length === 88)
  const at = lines.findIndex((line) => stored && isSigned(stored.bytes, line, key))
  // With a new key no old signature is valid.
  const old = at > 2 ? [...lines.slice(0, 2), ...lines.slice(at, at + 1)] : lines.slice(0, 3)
  return Buffer.from(signBytes(bytes, key) + old.map((line) => `${line}\n`).join(""))
}

/** Whether a file is signed, by any key. */
export function hasSignature({ signature }: Pick<SignedFile, "signature">): boolean {
  return signature !== undefined && signature.bytes.length > 0
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
