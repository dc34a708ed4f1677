import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { alphabet, checksumLength, secretPattern } from "./secret-form.ts"

const secretForm = new RegExp(`^${secretPattern}$`)

/**
 * Returns a secret's digest (lower-case hex SHA-256), as in the key file; `undefined`, without hashing, if the prefix,
 * the length, the alphabet or the checksum shows that it is not a key.
 */
export function parseApiKey(secret: string): { readonly digest: string } | undefined {
  if (!secretForm.test(secret)) return undefined
  if (secret.slice(-checksumLength) !== checksum(secret.slice(0, -checksumLength))) return undefined
  return { digest: hash("sha256", secret, "hex") }
}

/** The CRC-32 of the rest of a secret, in base62. */
export function checksum(checked: string): string {
  return base62Of32Bits(crc32(checked))
}

/** Without `BigInt`, because every request runs this. */
function base62Of32Bits(number: number): string {
  let digits = ""
  for (let rest = number; digits.length < checksumLength; rest = Math.floor(rest / 62)) {
    digits = alphabet.charAt(rest % 62) + digits
  }
  return digits
}
