/** A share: `from` ≤ share × 100 < `to`, both exact in doubles. */
export interface ShareRange {
  readonly seed: string
  readonly from: number
  readonly to: number
}

const grammar = /^\d+(?:\.\d+)?$/

/** Reads `0` to `100`: the share that starts at 0 and has this many percent. */
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
    return undefined // not JSON, or null
  }
}

function rangeOf(seed: string, from: number, to: number): ShareRange | undefined {
  return from >= 0 && from <= to && to <= 100 ? { seed, from: from * 2 ** 32, to: to * 2 ** 32 } : undefined
}
