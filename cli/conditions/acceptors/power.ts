import type { Truth } from "../../../sdk/evaluation/match-condition.ts"

/** The answers for the exponents from `low` to `high`; `unknown` where they are not all the same. */
export type AnswerFor = (low: number, high: number) => Truth

/**
 * The digits of an exponent that were read. A text stands for all digits that go on alike: the answers if no digit
 * follows, if one does, two and so on, the last one for all that are longer.
 */
export type Power = number | string

const letters = new Map<Truth, string>([
  [true, "t"],
  [false, "f"],
  ["unknown", "u"],
])
const answers = new Map([...letters].map(([answer, letter]) => [letter, answer]))

/** From `limit` on, all exponents have the same answer. */
export function addPowerDigit(power: Power, digit: string, limit: number, answerFor: AnswerFor): Power {
  return typeof power === "string"
    ? power.slice(power.length > 1 ? 1 : 0)
    : summary(power * 10 + Number(digit), limit, answerFor)
}

/** An exponent of any digits. */
export function anyPower(limit: number, answerFor: AnswerFor): Power {
  return letters.get(answerFor(0, limit)) ?? "u"
}

export function answerOf(power: Power, answerFor: AnswerFor): Truth {
  return typeof power === "number" ? answerFor(power, power) : (answers.get(power.charAt(0)) ?? "unknown")
}

/** Whether no exponent that begins so has another answer than no. */
export function isHopeless(power: Power): boolean {
  return typeof power === "string" && /^f*$/.test(power)
}

function summary(power: number, limit: number, answerFor: AnswerFor): Power {
  if (power === 0) {
    const all = answerFor(0, Math.max(0, limit))
    return all === "unknown" ? 0 : (letters.get(all) ?? 0)
  }
  let text = ""
  for (let [low, high] = [power, power]; ; [low, high] = [low * 10, high * 10 + 9]) {
    if (low >= limit) return text + letters.get(answerFor(limit, limit))
    const answer = answerFor(low, high)
    if (answer === "unknown") return power
    text += letters.get(answer)
  }
}
