import { sha256 } from "@noble/hashes/sha2.js"

/** Where a text stands among all that a seed deals: its hash, a whole number below 2³². */
export type Share = (text: string) => number

/** The shares of a seed. The rules of a split ask of the same text, so the last share is cached. */
function createShare(seed: string): Share {
  const prefix = `${seed}:`
  let lastText: string | undefined
  let lastShare = 0
  return (text) => {
    if (text === lastText) return lastShare
    lastShare = headOfSha256(prefix + text)
    lastText = text
    return lastShare
  }
}

/** Gives the shares of each seed, made once, so that flags of one seed hash a text once. */
export function createShares(): (seed: string) => Share {
  const shares = new Map<string, Share>()
  return (seed) => {
    const share = shares.get(seed) ?? createShare(seed)
    shares.set(seed, share)
    return share
  }
}

/**
 * The first four bytes, big-endian, of SHA-256 over the text in UTF-8, where half a surrogate pair is U+FFFD. Web Crypto is
 * asynchronous, and `node:crypto` is not in browsers. All texts share one state and one array of bytes: a hash with new ones
 * takes three times as long.
 */
function headOfSha256(text: string): number {
  const bytes =
    text.length * 3 > space.length ? encoder.encode(text) : spaceOf(encoder.encodeInto(text, space).written)
  beginning._cloneInto(state).update(bytes).digestInto(digest)
  return view.getUint32(0)
}

/** The first bytes of the space. Made once for each length: to make a view takes a fifth of a hash. */
function spaceOf(length: number): Uint8Array {
  spaces[length] ??= space.subarray(0, length)
  return spaces[length]
}

/** Browsers and Node have it, but no library of types that both share. */
declare const TextEncoder: new () => {
  encode(text: string): Uint8Array<ArrayBuffer>
  encodeInto(text: string, into: Uint8Array): { readonly written: number }
}

const encoder = new TextEncoder()
const space = new Uint8Array(1024)
const spaces: Uint8Array[] = []
const beginning = sha256.create()
const state = sha256.create()
const digest = new Uint8Array(sha256.outputLen)
const view = new DataView(digest.buffer)
