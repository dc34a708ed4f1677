import { hash } from "node:crypto"

/** The first 8 hex digits of the meaning's SHA-256; more where two rules of one configuration share them. */
export function freeId(meaning: string, taken: ReadonlySet<string>): string {
  const digest = digestOf(meaning)
  let length = 8
  while (taken.has(digest.slice(0, length)) && length < digest.length) length++
  return digest.slice(0, length)
}

/** Cached where the meaning is short, because most flags have the same few rules. */
function digestOf(meaning: string): string {
  if (meaning.length > longest) return hash("sha256", meaning)
  const known = digests.get(meaning)
  if (known !== undefined) return known
  if (digests.size === maxDigests) digests.clear()
  const digest = hash("sha256", meaning)
  digests.set(meaning, digest)
  return digest
}

const digests = new Map<string, string>()
const maxDigests = 10_000
/** Characters. Together with `maxDigests` it bounds the memory. */
const longest = 500
