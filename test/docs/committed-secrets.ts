import { randomBytes } from "node:crypto"
import { createSigningKeys } from "../../cli/keys/create-signing-keys.ts"
import { mintKey } from "../../cli/keys/mint-key.ts"

/** For each kind of secret that `lint` knows, its name and a file that holds one. */
export function committedSecrets(): readonly (readonly [string, string])[] {
  return [
    ["an API key", `TOKEN=${mintKey(randomBytes).secret}\n`],
    ["a signing key", `FLAGSTONE_SIGNING_KEY=${createSigningKeys().privateKey}\n`],
    ["a path secret", `"FLAGSTONE_PATH_SECRET": "${randomBytes(32).toString("hex")}"\n`],
  ]
}
