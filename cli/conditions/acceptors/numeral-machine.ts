import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Intervals } from "../intervals.ts"
import type { Machine } from "./acceptor.ts"
import { createMagnitudes, type Magnitudes } from "./magnitudes.ts"
import { addPowerDigit, answerOf, anyPower, isHopeless, type Power } from "./power.ts"
import type { Place } from "./significands.ts"

/** How closely numbers are read. What is beyond is not known; how many states there are depends on both. */
export interface Precision {
  /** The greatest scale, and the least one, that are told apart. With 0, exponents are not told apart either. */
  readonly scale: number
  /** How many digits of a boundary are compared. */
  readonly digits: number
}

/**
 * Where a text stands in the grammar of decimal numbers. `start`, `-`, `.`, `e` and `e±` need another digit; `not`: the
 * text is no number, whatever follows.
 */
type Stage = "start" | "-" | "whole" | "." | "fraction" | "e" | "e±" | "power" | "not"

/**
 * What a text says of a number ± 0.`digits` × 10^`scale` × 10^`power`, as far as it is read. Of the digits it keeps only
 * how they compare with those of the boundaries, so texts of any length have few readings.
 */
interface Reading {
  readonly stage: Stage
  readonly isNegative: boolean
  readonly place: Place
  /** Of the digits: digits before the point, or less the zeros after it. Beyond the precision it stays one above. */
  readonly scale: number
  readonly isPowerNegative: boolean
  readonly power: Power
}

const start: Reading = {
  stage: "start",
  isNegative: false,
  place: "",
  scale: 0,
  isPowerNegative: false,
  power: 0,
}

/** What a machine reads for. */
interface Goal {
  readonly magnitudes: Magnitudes
  readonly mustBe: boolean
  /** The scale that stands for itself and all above; less this, for itself and all below. */
  readonly beyond: number
  /** Whether exponents are not told apart. */
  readonly isCoarse: boolean
  /** From this exponent on, all have the same answer. */
  readonly limit: number
}

/**
 * Accepts the decimal numbers that are read as a double of the intervals, and texts that are none unless `mustBe`. With
 * `mustBe` it refuses a text where the grammar does, and where every number that begins so is outside the intervals.
 */
export function numeralMachine(
  intervals: Intervals<number>,
  mustBe: boolean,
  precision: Precision,
): Machine<Reading> {
  const goal = goalOf(intervals, mustBe, precision)
  const not: Reading | undefined = mustBe ? undefined : { ...start, stage: "not" }
  return {
    price: 20,
    start,
    step(reading, character) {
      if (reading.stage === "not") return reading
      const isDigit = character >= "0" && character <= "9"
      return isDigit ? withDigit(reading, character, goal) : (withMark(reading, character, goal) ?? not)
    },
    accepts(reading): Truth {
      switch (reading.stage) {
        case "whole":
        case "fraction":
          return contains(reading, 0, 0, goal)
        case "power":
          return answerOf(reading.power, (low, high) => contains(reading, low, high, goal))
        default:
          return !mustBe
      }
    },
    nameOf,
  }
}

function goalOf(intervals: Intervals<number>, mustBe: boolean, { scale, digits }: Precision): Goal {
  const magnitudes = createMagnitudes(intervals, digits)
  const [least, most] = magnitudes.scales
  const beyond = scale + 1
  const limit = Math.max(Math.abs(least), Math.abs(most)) + beyond + 2
  return { magnitudes, mustBe, beyond, isCoarse: scale === 0, limit }
}

/** The reading after a sign, a point or an `e`; `undefined` where none of them may follow. */
function withMark(reading: Reading, character: string, { magnitudes }: Goal): Reading | undefined {
  const { stage } = reading
  const isWhole = stage === "whole"
  if (character === "-" && stage === "start") return { ...reading, stage: "-", isNegative: true }
  if (character === "." && isWhole) return { ...reading, stage: "." }
  if (/^[eE]$/.test(character) && (isWhole || stage === "fraction"))
    return { ...reading, stage: "e", place: magnitudes.significands.close(reading.place) }
  if (/^[+-]$/.test(character) && stage === "e")
    return { ...reading, stage: "e±", isPowerNegative: character === "-" }
  return undefined
}

/** The reading after a digit; `undefined` where no number that begins so is wanted. */
function withDigit(reading: Reading, digit: string, goal: Goal): Reading | undefined {
  switch (reading.stage) {
    case "start":
    case "-":
    case "whole":
      return withWholeDigit(reading, digit, goal)
    case ".":
    case "fraction":
      return withFractionDigit(reading, digit, goal)
    default:
      return withPowerDigit(reading, digit, goal)
  }
}

function withWholeDigit(reading: Reading, digit: string, goal: Goal): Reading | undefined {
  const { place, scale } = reading
  const { magnitudes, beyond } = goal
  if (isLeadingZero(place, digit)) return { ...reading, stage: "whole" }
  const larger = Math.min(scale + 1, beyond)
  return hopeful(
    { ...reading, stage: "whole", place: magnitudes.significands.add(place, digit), scale: larger },
    goal,
  )
}

function withFractionDigit(reading: Reading, digit: string, goal: Goal): Reading | undefined {
  const { place, scale } = reading
  const { magnitudes, beyond } = goal
  if (isLeadingZero(place, digit))
    return { ...reading, stage: "fraction", scale: Math.max(scale - 1, -beyond) }
  return hopeful({ ...reading, stage: "fraction", place: magnitudes.significands.add(place, digit) }, goal)
}

function isLeadingZero(place: Place, digit: string): boolean {
  return place === "" && digit === "0"
}

function withPowerDigit(reading: Reading, digit: string, goal: Goal): Reading | undefined {
  const { limit, isCoarse } = goal
  const answerFor = (low: number, high: number) => contains(reading, low, high, goal)
  const before = reading.stage === "power" ? reading.power : 0
  const power = isCoarse ? anyPower(limit, answerFor) : addPowerDigit(before, digit, limit, answerFor)
  return hopeful({ ...reading, stage: "power", power }, goal)
}

/** Whether the number is in the intervals, for exponents from `low` to `high`. */
function contains(
  { isNegative, place, scale, isPowerNegative }: Reading,
  low: number,
  high: number,
  { magnitudes, beyond }: Goal,
): Truth {
  if (place === "") return magnitudes.hasZero
  const [from, to] = isPowerNegative ? [-high, -low] : [low, high]
  const least = scale === -beyond ? Number.NEGATIVE_INFINITY : scale + from
  const most = scale === beyond ? Number.POSITIVE_INFINITY : scale + to
  return magnitudes.contain(isNegative, place, least, most)
}

/** The reading; `undefined` where it is certain that no number that begins so is accepted. */
function hopeful(reading: Reading, { magnitudes, mustBe }: Goal): Reading | undefined {
  if (!mustBe) return reading
  const { stage, isNegative, place, power } = reading
  if (stage === "power") return isHopeless(power) ? undefined : reading
  // More digits no longer change how these compare, and the scale may still become any.
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const isOutside = place.startsWith("<") && magnitudes.contain(isNegative, place, least, most) === false
  return isOutside ? undefined : reading
}

function nameOf({ stage, isNegative, place, scale, isPowerNegative, power }: Reading): string {
  if (stage === "not") return stage
  // A summary says all that the rest of the exponent depends on.
  if (typeof power === "string") return power
  const sign = `${isNegative ? "-" : ""}${isPowerNegative ? "~" : ""}`
  return `${stage} ${sign}${place} ${scale} ${power}`
}
