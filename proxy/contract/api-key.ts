import { hash } from "node:crypto"
import { crc32 } from "node:zlib"

const prefix = "fsk_"
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 43 // 62 ** 43 > 2 ** 256
const checksumLength = 6 // 62 ** 6 > 2 ** 32
const checkedLength = prefix.length + randomLength
const secretLength = checkedLength + checksumLength

/**
 * A new API key's secret: `fsk_`, 256 random bits in base62, then the CRC-32 of all that precedes it in base62.
 * `randomBytes` must draw on the system's secure source; throws when it does not give the 32 bytes it is asked for.
 */
export function createApiKey(randomBytes: (size: number) => Uint8Array): string {
  const random = randomBytes(32)
  if (random.length !== 32) throw new RangeError("An API key needs 32 random bytes")
  const checked = prefix + base62(BigInt(`0x${Buffer.from(random).toString("hex")}`), randomLength)
  return checked + checksum(checked)
}

/**
 * The digest (lower-case hex SHA-256) under which the key file knows a secret; `undefined` when the prefix, the
 * length, the alphabet or the checksum says that no such key was ever made, which costs no hash.
 */
export function parseApiKey(secret: string): { readonly digest: string } | undefined {
  if (secret.length !== secretLength || !secret.startsWith(prefix) || !isBase62(secret, prefix.length))
    return undefined
  if (secret.slice(checkedLength) !== checksum(secret.slice(0, checkedLength))) return undefined
  return { digest: hash("sha256", secret, "hex") }
}

function checksum(checked: string): string {
  return base62Of32Bits(crc32(checked))
}

function base62(number: bigint, length: number): string {
  let digits = ""
  for (let rest = number; rest > 0n; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits.padStart(length, "0")
}

/** Without `BigInt`, because every request comes by here. */
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
