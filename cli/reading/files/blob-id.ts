import { hash } from "node:crypto"

/** The id that git gives a text (git-hash-object). */
export function blobId(text: string, algorithm: "sha1" | "sha256"): string {
  return hash(algorithm, `blob ${Buffer.byteLength(text)}\0${text}`)
}
