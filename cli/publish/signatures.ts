import type { KeyObject } from "node:crypto"
import { isSigned, signBytes } from "../../proxy/contract/signature.ts"

/**
 * The signature file of a file that is about to replace another: the new signature, and that of the file before, one per
 * line. Whichever of the two files readers find beside it, it is signed.
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

/** Whether the first signature is one of these bytes by this key. */
export function isSignedFirst(bytes: Uint8Array, signatures: Buffer | undefined, key: KeyObject): boolean {
  const [first = ""] = signatures?.toString("utf8").split("\n") ?? []
  return isSigned(bytes, first, key)
}
