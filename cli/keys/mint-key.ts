import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { createApiKey } from "./create-api-key.ts"

/** A new API key: the secret for its owner, and the digest, which is all that is stored. */
export interface MintedKey {
  readonly secret: string
  readonly digest: string
}

/** Makes an API key. `randomBytes` must draw on the system's secure source. */
export function mintKey(randomBytes: (size: number) => Uint8Array): MintedKey {
  const secret = createApiKey(randomBytes)
  const parsed = parseApiKey(secret)
  if (parsed === undefined) throw new Error("A new API key does not parse: this is a bug in Flagstone")
  return { secret, digest: parsed.digest }
}
