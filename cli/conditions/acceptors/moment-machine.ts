import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Intervals } from "../intervals.ts"
import { millisecondsOf } from "../moments.ts"
import type { Machine } from "./acceptor.ts"
import { alike, type Form, mayFollow, rangeOf } from "./moment-text.ts"

/**
 * The offsets that texts may have. `utc`: a date alone, or `Z`. `date`: as a Date is written. Any other: those whose text
 * begins so, `+`, `-0` or `+05:30`; where that is not all of it, what depends on the rest is not known.
 */
export type Zone = string

interface Reading {
  readonly stage: "local" | "zone" | "not"
  /** What was read of the local time, or one that goes on alike once the answer is known. */
  readonly local: string
  readonly isBeforeZero: boolean
  readonly zone: string
  readonly answer: Truth | undefined
}

/** Accepts the moments of the intervals, and texts that are no moments unless `mustBe`. */
export function momentMachine(intervals: Intervals<number>, mustBe: boolean, zone: Zone): Machine<Reading> {
  const ranges = intervals.flatMap((interval) => {
    const range = millisecondsOf(interval)
    return range === undefined ? [] : [range]
  })
  const isDate = zone === "date"
  const form: Form = { yearDigits: isDate ? 6 : 4 }
  const isUtc = zone === "utc" || isDate
  const [least, most] = isUtc ? [0, 0] : offsetsOf(zone)
  const start: Reading = { stage: "local", local: "", isBeforeZero: false, zone: "", answer: undefined }
  const not: Reading | undefined = mustBe ? undefined : { ...start, stage: "not" }

  /** The answer for all local times from `low` to `high`; `undefined` where they have different ones. */
  const answerFor = (low: number, high: number): Truth | undefined => {
    const [first, last] = [low - most, high - least]
    if (ranges.some((range) => range[0] <= first && last <= range[1])) return true
    if (ranges.every((range) => last < range[0] || range[1] < first)) return false
    // Where the offset decides for each of the local times, which side of an end it falls on.
    const isOpen = (end: number) => high - most < end && end <= low - least
    return ranges.some((range) => isOpen(range[0]) || isOpen(range[1] + 1)) ? "unknown" : undefined
  }
  const withLocal = (before: Reading, local: string): Reading | undefined => {
    if (before.answer !== undefined) return { ...before, local: alike(local, form) }
    const answer = answerFor(...rangeOf(local, form, before.isBeforeZero))
    if (answer === undefined) return { ...before, local }
    return answer === false && mustBe ? undefined : { ...before, local: alike(local, form), answer }
  }
  /** The answer if the digits that are missing are zeros. */
  const atEnd = ({ answer, local, isBeforeZero }: Reading): Truth =>
    answer ?? answerFor(...twice(rangeOf(zeros(local, form), form, isBeforeZero)[0])) ?? "unknown"
  return {
    price: 20 + (ranges.length >> 2),
    start,
    step(reading, character) {
      const { stage, local } = reading
      if (stage === "not") return reading
      if (stage === "zone") {
        const text = reading.zone + character
        return isZone(text, zone) ? { ...reading, zone: alikeZone(text, zone) } : not
      }
      if (isDate && reading.zone === "")
        return /^[+-]$/.test(character) ? { ...reading, zone: "±", isBeforeZero: character === "-" } : not
      const length = local.length - form.yearDigits
      const isComplete = isDate ? length === 19 : length === 15 || length > 16
      if (isComplete && isZone(character, isDate ? "Z" : zone)) {
        const answer = atEnd(reading)
        return answer === false && mustBe
          ? undefined
          : { ...reading, stage: "zone", local: "", zone: character, answer }
      }
      return length < 19 && mayFollow(local, character, form) ? withLocal(reading, local + character) : not
    },
    accepts(reading) {
      const { stage, zone: own, local } = reading
      if (stage === "zone" && (isUtc || own.length === 6)) return reading.answer ?? "unknown"
      if (stage === "local" && zone === "utc" && local.length === 10) return atEnd(reading)
      return !mustBe
    },
    nameOf: ({ stage, local, isBeforeZero, zone: own, answer }) =>
      stage === "not"
        ? stage
        : `${stage} ${isBeforeZero && answer === undefined ? "-" : ""}${local} ${own} ${answer}`,
  }
}

function twice(moment: number): readonly [number, number] {
  return [moment, moment]
}

/** The local time with the digits filled in that a complete text may leave out. */
function zeros(local: string, { yearDigits }: Form): string {
  return local + "-00-00T00:00:00.000".slice(local.length - yearDigits)
}

/** Whether an offset can begin so. */
function isZone(text: string, zone: Zone): boolean {
  if (zone === "utc") return /^[Zz]$/.test(text)
  if (zone === "date" || zone === "Z") return text === "Z"
  return /^[+-](?:[01]\d?|2[0-3]?)?$|^[+-](?:[01]\d|2[0-3]):(?:[0-5]\d?)?$/.test(text) && begins(text, zone)
}

function begins(text: string, zone: Zone): boolean {
  return text.length < zone.length ? zone.startsWith(text) : text.startsWith(zone)
}

/** An offset after which the same may follow. */
function alikeZone(text: string, zone: Zone): string {
  const isOpen = text.length > zone.length && !(text.length === 2 && text.endsWith("2"))
  return isOpen ? zone + "+00:00".slice(zone.length, text.length) : text
}

/** The least and the greatest offset, in milliseconds, whose text begins so. */
function offsetsOf(zone: Zone): readonly [number, number] {
  const fill = (digit: string) => {
    const [hours, minutes] = [zone.slice(1, 3).padEnd(2, digit), zone.slice(4, 6).padEnd(2, digit)]
    return Math.min(Number(hours), 23) * 60 + Math.min(Number(minutes), 59)
  }
  const [low, high] = [fill("0") * 60_000, fill("9") * 60_000]
  return zone.startsWith("-") ? [-high, -low] : [low, high]
}

/** The offsets that begin so, with one more character; none where nothing is missing. */
export function narrowerZones(zone: Zone): readonly Zone[] {
  return [..."0123456789:"].map((character) => zone + character).filter((one) => isZone(one, zone))
}
