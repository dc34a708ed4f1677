import type { AttributeShare } from "../conditions/share-range.ts"
import { type Phrase, phrase } from "./phrase.ts"

/** The users in a share, such as `among the first 10 % by userId`. */
export function shareWords({ attribute, seed, from, to }: AttributeShare): Phrase {
  const by = byWords(attribute, seed)
  if (from === 0 && to === 100) return phrase`with any ${attribute}`
  return from === 0
    ? phrase`among the first ${[percent(to)]} % ${by}`
    : phrase`between ${[percent(from)]} % and ${[percent(to)]} % ${by}`
}

/** The attribute and seed of shares; the flag's own key is not named. */
export function byWords(attribute: string, seed: string): Phrase {
  return seed === "" ? phrase`by ${attribute}` : phrase`by ${attribute} ${seedWords(seed)}`
}

/** Such as `with the seed checkout`. */
export function seedWords(seed: string): Phrase {
  return seed === "" ? ["without a seed"] : phrase`with the seed ${seed}`
}

/** Without an exponent; sums of doubles have more digits than files. */
export function percent(number: number): string {
  const rounded = Number(number.toPrecision(12))
  return rounded < 1e-6 && rounded > 0 ? rounded.toFixed(20).replace(/0+$/, "") : String(rounded)
}
