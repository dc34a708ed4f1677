import { sha256Head } from "./sha256.ts"

/** Where a text stands among all that a seed deals: its hash, a whole number below 2³². */
export type Share = (text: string) => number

/** The shares of a seed. The rules of a split ask of the same text, so the last share is cached. */
function createShare(seed: string): Share {
  const prefix = `${seed}:`
  let lastText: string | undefined
  let lastShare = 0
  return (text) => {
    if (text === lastText) return lastShare
    lastShare = sha256Head(prefix, text)
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

/** A part of all that a seed deals: `from` ≤ share × 100 < `to`, both exact in doubles. */
export interface ShareRange {
  readonly seed: string
  readonly from: number
  readonly to: number
}

const grammar = /^\d+(?:\.\d+)?$/

/** Reads `0` to `100`: the first part of that many percent. */
export function parsePercentage(text: string, seed: string): ShareRange | undefined {
  return grammar.test(text) ? rangeOf(seed, 0, Number(text)) : undefined
}

/** Reads the JSON object `{"seed":text,"from":number,"to":number}`. */
export function parseShare(json: string): ShareRange | undefined {
  try {
    const { seed, from, to }: Readonly<Record<string, unknown>> = JSON.parse(json)
    return typeof seed === "string" && typeof from === "number" && typeof to === "number"
      ? rangeOf(seed, from, to)
      : undefined
  } catch {
    return undefined // no JSON, or null
  }
}

function rangeOf(seed: string, from: number, to: number): ShareRange | undefined {
  return from >= 0 && from <= to && to <= 100 ? { seed, from: from * 2 ** 32, to: to * 2 ** 32 } : undefined
}
