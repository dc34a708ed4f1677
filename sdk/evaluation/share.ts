import { _SHA256 } from "@noble/hashes/sha2.js"

/** Returns a text's position for a seed: its hash, a whole number below 2³². */
export type Share = (text: string) => number

/** The shares of a seed. The rules of a split hash the same text, so the last share is cached. */
function createShare(seed: string): Share {
  const prefix = `${seed}:`
  let lastText: string | undefined
  let lastShare = 0
  return (text) => {
    if (text === lastText) return lastShare
    lastShare = hash.head(prefix + text)
    lastText = text
    return lastShare
  }
}

/** The shares of each seed, created once, so that flags with the same seed hash a text once. */
export function createShares(): (seed: string) => Share {
  const shares = new Map<string, Share>()
  return (seed) => {
    const share = shares.get(seed) ?? createShare(seed)
    shares.set(seed, share)
    return share
  }
}

/** Browsers and Node both have it, but there is no type library that they share. */
declare const TextEncoder: new () => {
  encodeInto(text: string, into: Uint8Array): { readonly written: number }
}

const encoder = new TextEncoder()

/**
 * SHA-256 of whole texts. Web Crypto is asynchronous, and browsers have no `node:crypto`. This uses the library's
 * rounds with our own padding (RFC 6234, section 4.1): its `update` and `digestInto`, which expect bytes in pieces,
 * would take half as long as the rounds.
 */
class TextHash extends _SHA256 {
  readonly #initial = this.get()
  readonly #shortBytes = new Uint8Array(1024)
  readonly #shortView = new DataView(this.#shortBytes.buffer)

  /** The first four bytes, big-endian, of the hash of the text in UTF-8, in which half a surrogate pair becomes U+FFFD. */
  head(text: string): number {
    const room = text.length * 3 + 72
    const short = room <= this.#shortBytes.length
    const bytes = short ? this.#shortBytes : new Uint8Array(room)
    const view = short ? this.#shortView : new DataView(bytes.buffer)

    const { written } = encoder.encodeInto(text, bytes)
    const end = Math.ceil((written + 9) / 64) * 64
    bytes[written] = 0x80
    bytes.fill(0, written + 1, end - 8)
    view.setUint32(end - 8, written / 2 ** 29)
    view.setUint32(end - 4, written * 8)

    this.set(...this.#initial)
    for (let block = 0; block < end; block += 64) this.process(view, block)
    return this.A >>> 0
  }
}

const hash = new TextHash()
