import { createApiKey, parseApiKey } from "../../proxy/contract/api-key.ts"

/** A new API key: the secret for its owner, and the digest, which is all that is kept. */
export interface MintedKey {
  readonly secret: string
  readonly digest: string
}

/** Makes an API key. Throws when the proxy would refuse it, which a broken random source alone can bring about. */
export function mintKey(randomBytes: (size: number) => Uint8Array): MintedKey {
  const secret = createApiKey(randomBytes)
  const parsed = parseApiKey(secret)
  if (parsed === undefined) throw new Error("The random source did not give 32 bytes, so no key was made.")
  return { secret, digest: parsed.digest }
}
