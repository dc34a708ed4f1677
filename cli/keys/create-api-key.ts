import { checksum } from "../../proxy/contract/api-key.ts"
import { alphabet, randomLength, secretPrefix } from "../../proxy/contract/secret-form.ts"

/**
 * A new API key's secret: `fsk_`, 256 random bits in base62, then the CRC-32 of all that precedes it in base62.
 * `randomBytes` must draw on the system's secure source; throws if it does not return the 32 bytes it was asked for.
 */
export function createApiKey(randomBytes: (size: number) => Uint8Array): string {
  const random = randomBytes(32)
  if (random.length !== 32) throw new RangeError("An API key needs 32 random bytes")
  const checked = secretPrefix + base62(BigInt(`0x${Buffer.from(random).toString("hex")}`), randomLength)
  return checked + checksum(checked)
}

function base62(number: bigint, length: number): string {
  let digits = ""
  for (let rest = number; rest > 0n; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits.padStart(length, "0")
}
