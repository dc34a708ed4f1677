import { generateKeyPairSync } from "node:crypto"

/** A new pair of keys, each as base64 of its DER form (PKCS #8 and SPKI): PEM without its header and footer. */
export function createSigningKeys(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "der" },
    publicKeyEncoding: { type: "spki", format: "der" },
  })
  return { privateKey: privateKey.toString("base64"), publicKey: publicKey.toString("base64") }
}
