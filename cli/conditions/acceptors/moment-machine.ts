import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Intervals } from "../intervals.ts"
import { millisecondsOf } from "../moments.ts"
import type { Machine } from "./acceptor.ts"
import { alike, type Form, mayFollow, rangeOf } from "./moment-text.ts"
import { alikeZone, isZone, offsetsOf, type Zone } from "./moment-zone.ts"

/**
 * What a text says of a moment, as far as it is read. Once it is certain whether the moment is in the intervals, the text
 * itself is forgotten but for what the grammar still needs, such as how long the month is: so there are few readings.
 */
interface Reading {
  readonly stage: "local" | "zone" | "not"
  /** What was read of the local time, or one that goes on alike once the answer is known. */
  readonly local: string
  readonly isBeforeZero: boolean
  readonly zone: string
  readonly answer: Truth | undefined
}

const start: Reading = { stage: "local", local: "", isBeforeZero: false, zone: "", answer: undefined }

/** What a machine reads for. */
interface Goal {
  /** The first and the last millisecond of each interval. */
  readonly ranges: readonly (readonly [number, number])[]
  readonly mustBe: boolean
  readonly zone: Zone
  readonly form: Form
  /** The least and the greatest offset that a text may have, in milliseconds. */
  readonly offsets: readonly [number, number]
}

/**
 * Accepts the moments of the intervals, and texts that are no moments unless `mustBe`. With `mustBe` it refuses a text
 * where clock and calendar do, and where every moment that begins so is outside the intervals.
 */
export function momentMachine(intervals: Intervals<number>, mustBe: boolean, zone: Zone): Machine<Reading> {
  const ranges = intervals.flatMap((interval) => {
    const range = millisecondsOf(interval)
    return range === undefined ? [] : [range]
  })
  const form: Form = { yearDigits: zone === "date" ? 6 : 4 }
  const goal: Goal = { ranges, mustBe, zone, form, offsets: offsetsOf(zone) }
  const not: Reading | undefined = mustBe ? undefined : { ...start, stage: "not" }
  /** What is no moment stays that, or is refused with `mustBe`, as is a moment that is certainly outside. */
  const wanted = (reading: Reading | undefined): Reading | undefined => {
    if (reading === undefined) return not
    return mustBe && reading.answer === false ? undefined : reading
  }
  return {
    price: 20 + (ranges.length >> 2),
    start,
    step(reading, character) {
      if (reading.stage === "not") return reading
      return wanted(afterCharacter(reading, character, goal))
    },
    accepts: (reading) => verdictOn(reading, goal),
    nameOf,
  }
}

/** The reading after one more character; `undefined` where no moment has it there. */
function afterCharacter(reading: Reading, character: string, goal: Goal): Reading | undefined {
  const { zone, form } = goal
  const { local } = reading
  const isDate = zone === "date"
  if (reading.stage === "zone") return withZone(reading, character, zone)
  if (isDate && reading.zone === "") return withSign(reading, character)
  const length = local.length - form.yearDigits
  const isComplete = isDate ? length === 19 : length === 15 || length > 16
  if (isComplete && isZone(character, isDate ? "Z" : zone))
    return { ...reading, stage: "zone", local: "", zone: character, answer: answerAtEnd(reading, goal) }
  return length < 19 && mayFollow(local, character, form)
    ? withLocal(reading, local + character, goal)
    : undefined
}

function withZone(reading: Reading, character: string, zone: Zone): Reading | undefined {
  const text = reading.zone + character
  return isZone(text, zone) ? { ...reading, zone: alikeZone(text, zone) } : undefined
}

/** The sign of a Date's year. */
function withSign(reading: Reading, character: string): Reading | undefined {
  if (character !== "+" && character !== "-") return undefined
  return { ...reading, zone: "±", isBeforeZero: character === "-" }
}

function withLocal(before: Reading, local: string, goal: Goal): Reading {
  const { form } = goal
  if (before.answer !== undefined) return { ...before, local: alike(local, form) }
  const answer = answerFor(rangeOf(local, form, before.isBeforeZero), goal)
  return answer === undefined ? { ...before, local } : { ...before, local: alike(local, form), answer }
}

/** The answer for all local times from `low` to `high`; `undefined` where they have different ones. */
function answerFor([low, high]: readonly [number, number], { ranges, offsets }: Goal): Truth | undefined {
  const [least, most] = offsets
  // The first and the last moment that such a time can be, somewhere on earth.
  const [first, last] = [low - most, high - least]
  if (ranges.some((range) => range[0] <= first && last <= range[1])) return true
  if (ranges.every((range) => last < range[0] || range[1] < first)) return false
  // Where the offset decides for each of the local times, which side of an end it falls on.
  const isOpen = (end: number) => high - most < end && end <= low - least
  return ranges.some((range) => isOpen(range[0]) || isOpen(range[1] + 1)) ? "unknown" : undefined
}

/** The answer if the digits that are missing are zeros. */
function answerAtEnd({ answer, local, isBeforeZero }: Reading, goal: Goal): Truth {
  if (answer !== undefined) return answer
  const [moment] = rangeOf(zeros(local, goal.form), goal.form, isBeforeZero)
  return answerFor([moment, moment], goal) ?? "unknown"
}

/** The local time with the digits filled in that a complete text may leave out. */
function zeros(local: string, { yearDigits }: Form): string {
  return local + "-00-00T00:00:00.000".slice(local.length - yearDigits)
}

/** Whether the text is accepted if it ends here. */
function verdictOn(reading: Reading, goal: Goal): Truth {
  const { stage, local } = reading
  const isUtc = goal.zone === "utc" || goal.zone === "date"
  if (stage === "zone" && (isUtc || reading.zone.length === 6)) return reading.answer ?? "unknown"
  // A date alone is its first moment in UTC.
  if (stage === "local" && goal.zone === "utc" && local.length === 10) return answerAtEnd(reading, goal)
  return !goal.mustBe
}

function nameOf({ stage, local, isBeforeZero, zone, answer }: Reading): string {
  return stage === "not"
    ? stage
    : `${stage} ${isBeforeZero && answer === undefined ? "-" : ""}${local} ${zone} ${answer}`
}
