import { hash } from "node:crypto"
import { crc32 } from "node:zlib"
import { alphabet, checksumLength, randomLength, secretPrefix } from "./secret-form.ts"

const checkedLength = secretPrefix.length + randomLength
const secretLength = checkedLength + checksumLength

/**
 * Returns a secret's digest (lower-case hex SHA-256), as in the key file; `undefined`, without hashing, if the prefix,
 * the length, the alphabet or the checksum shows that it is not a key.
 */
export function parseApiKey(secret: string): { readonly digest: string } | undefined {
  if (
    secret.length !== secretLength ||
    !secret.startsWith(secretPrefix) ||
    !isBase62(secret, secretPrefix.length)
  )
    return undefined
  if (secret.slice(checkedLength) !== checksum(secret.slice(0, checkedLength))) return undefined
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

function isBase62(text: string, start: number): boolean {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const digit = code >= 48 && code <= 57
    const upper = code >= 65 && code <= 90
    const lower = code >= 97 && code <= 122
    if (!digit && !upper && !lower) return false
  }
  return true
}
