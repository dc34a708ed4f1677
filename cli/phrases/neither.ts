import { joinPhrases, type Phrase, phrase } from "../diagnostics/phrase.ts"

/** Words of a sentence, and their place in it. */
export interface Part {
  readonly rank: number
  readonly words: Phrase
  /** Words that have brackets, used if nothing follows; elsewhere `words`, which then only name what the part depends on. */
  readonly within?: Phrase
}

/** Of parts that leave users out, those with one noun as one: `neither in segment staff nor among the first 10 % by userId`. */
export function withNeither(parts: readonly Part[]): readonly Part[] {
  const inside = (part: Part): Phrase | undefined => {
    const [first, ...rest] = part.words.filter((word) => word !== "")
    if (typeof first !== "string" || !/^outside\b/.test(first)) return undefined
    const negated = rest.map((word) => (word === "and" ? "or" : word))
    return [first.replace("outside", first.startsWith("outside the first") ? "among" : "in"), ...negated]
  }
  const outside = parts.filter((part) => inside(part) !== undefined)
  const last = outside.at(-1)
  if (outside.length < 2 || last === undefined) return parts
  const words = joinPhrases(
    outside.map((part) => inside(part) ?? []),
    " nor ",
  )
  return parts.flatMap((part) => {
    if (part === last) return [{ ...part, words: phrase`neither ${words}` }]
    return outside.includes(part) ? [] : [part]
  })
}
