import { sha256Head } from "./sha256.ts"

/** Where a text stands in a flag: its hash, a whole number below 2³². */
export type Share = (text: string) => number

/** The shares of a flag. The rules of a split ask of the same text, so the last share is cached. */
export function createShare(flagKey: string): Share {
  const prefix = `${flagKey}:`
  let lastText: string | undefined
  let lastShare = 0
  return (text) => {
    if (text === lastText) return lastShare
    lastShare = sha256Head(prefix, text)
    lastText = text
    return lastShare
  }
}

const grammar = /^\d+(?:\.\d+)?$/

/** Reads `0` to `100`: the number that `share × 100` must be below, exact in doubles. */
export function parsePercentage(text: string): number | undefined {
  return grammar.test(text) && Number(text) <= 100 ? Number(text) * 2 ** 32 : undefined
}
