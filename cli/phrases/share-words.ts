import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Range, ShareSeed } from "../conditions/share-range.ts"
import { joinLast, type Phrase, phrase } from "../diagnostics/phrase.ts"
import type { Ramp, RampStage } from "../language/condition.ts"

/** The users in a share, such as `among the first 10 % by userId`. */
export function shareWords(share: ShareSeed & Range): Phrase {
  const { by, from, to } = share
  if (from === 0 && to === 100) return phrase`with any ${by}`
  return from === 0
    ? phrase`among the first ${[percent(to)]} % ${byWords(share)}`
    : phrase`between ${[percent(from)]} % and ${[percent(to)]} % ${byWords(share)}`
}

/** The attribute and seed of shares; the flag's own key is not named. */
export function byWords({ by, seed }: ShareSeed): Phrase {
  return seed === undefined ? phrase`by ${by}` : phrase`by ${by} (seed ${seed})`
}

/** Words in brackets, in which a seed and the case have none of their own. */
export function bracketed(words: Phrase): Phrase {
  const inner = words.map((part, at) => {
    if (part === " (seed ") return ", seed "
    if (typeof part !== "string") return part
    const own = words[at - 2] === " (seed " ? part.replace(/^\)/, "") : part
    return own.replaceAll(" (ignoring case)", ", ignoring case")
  })
  return ["(", ...inner, ")"]
}

/** Whether words have brackets that stay if the words are put into brackets. */
export function hasBrackets(words: Phrase): boolean {
  return frameOf(words)
    .replaceAll(/ \((seed …|ignoring case)\)/g, "")
    .includes("(")
}

/** A phrase without the names and values of authors. */
export function frameOf(words: Phrase): string {
  return words.map((word) => (typeof word === "string" ? word : "…")).join("")
}

/** Such as `with the seed checkout`. */
export function seedWords(seed: string | undefined): Phrase {
  return seed === undefined ? ["without a seed"] : phrase`with the seed ${seed}`
}

/** How the calendar of a ramp is said. */
interface CalendarWords {
  /** Of a ramp with more stages, how it begins and ends is said. */
  readonly most?: number
  /** Milliseconds since the epoch: stages that are over by then are left out. */
  readonly now?: number | undefined
}

/** The calendar of a ramp. */
export function rampWords(
  { stages, ...share }: Ramp,
  { most = stages.length, now = Number.NEGATIVE_INFINITY }: CalendarWords = {},
): Phrase {
  const hasBegun = ({ at }: RampStage) => (parseMoment(at) ?? Number.POSITIVE_INFINITY) <= now
  const current = stages.findLastIndex(hasBegun)
  const all = stages
    .slice(Math.max(current, 0))
    .map(
      (stage) => phrase`${[percent(stage.share)]} % ${hasBegun(stage) ? ["now"] : phrase`from ${stage.at}`}`,
    )
  const left = all.length - most
  const calendar = left > 1 ? all.toSpliced(most - 1, left, [`${left} more stages`]) : all
  const begin = share.from > 0 ? phrase` (above ${[percent(share.from)]} %)` : []
  return phrase`${byWords(share)}${begin}: ${joinLast(calendar, "and")}`
}

/** Without an exponent; sums of doubles have more digits than files. */
export function percent(number: number): string {
  const rounded = Number(number.toPrecision(12))
  return rounded < 1e-6 && rounded > 0 ? rounded.toFixed(20).replace(/0+$/, "") : String(rounded)
}
