import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Intervals } from "../intervals.ts"
import type { Machine } from "./acceptor.ts"
import { createMagnitudes } from "./magnitudes.ts"
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

/** Accepts the decimal numbers that are read as a double of the intervals, and texts that are none unless `mustBe`. */
export function numeralMachine(
  intervals: Intervals<number>,
  mustBe: boolean,
  precision: Precision,
): Machine<Reading> {
  const { significands, scales, hasZero, contain } = createMagnitudes(intervals, precision.digits)
  const beyond = precision.scale + 1
  const isCoarse = precision.scale === 0
  const limit = Math.max(Math.abs(scales[0]), Math.abs(scales[1])) + beyond + 2
  const not: Reading | undefined = mustBe ? undefined : { ...start, stage: "not" }

  const contains = ({ isNegative, place, scale, isPowerNegative }: Reading, low: number, high: number) => {
    if (place === "") return hasZero
    const [from, to] = isPowerNegative ? [-high, -low] : [low, high]
    const least = scale === -beyond ? Number.NEGATIVE_INFINITY : scale + from
    return contain(isNegative, place, least, scale === beyond ? Number.POSITIVE_INFINITY : scale + to)
  }
  const alive = (reading: Reading): Reading | undefined => {
    if (!mustBe) return reading
    if (reading.stage === "power") return isHopeless(reading.power) ? undefined : reading
    const { place, isNegative } = reading
    const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    const isOutside = place.startsWith("<") && contain(isNegative, place, least, most) === false
    return isOutside ? undefined : reading
  }
  const withDigit = (reading: Reading, digit: string): Reading | undefined => {
    const { stage, place, scale } = reading
    const isZero = place === "" && digit === "0"
    switch (stage) {
      case "start":
      case "-":
      case "whole":
        if (isZero) return { ...reading, stage: "whole" }
        return alive({
          ...reading,
          stage: "whole",
          place: significands.add(place, digit),
          scale: Math.min(scale + 1, beyond),
        })
      case ".":
      case "fraction":
        if (isZero) return { ...reading, stage: "fraction", scale: Math.max(scale - 1, -beyond) }
        return alive({ ...reading, stage: "fraction", place: significands.add(place, digit) })
      case "e":
      case "e±":
      case "power": {
        const answerFor = (low: number, high: number) => contains(reading, low, high)
        const before = stage === "power" ? reading.power : 0
        return alive({
          ...reading,
          stage: "power",
          power: isCoarse ? anyPower(limit, answerFor) : addPowerDigit(before, digit, limit, answerFor),
        })
      }
      default:
        return reading
    }
  }
  return {
    price: 20,
    start,
    step(reading, character) {
      const { stage } = reading
      if (stage === "not") return reading
      if (character >= "0" && character <= "9") return withDigit(reading, character)
      const isWhole = stage === "whole"
      if (character === "-" && stage === "start") return { ...reading, stage: "-", isNegative: true }
      if (character === "." && isWhole) return { ...reading, stage: "." }
      if (/^[eE]$/.test(character) && (isWhole || stage === "fraction"))
        return { ...reading, stage: "e", place: significands.close(reading.place) }
      if (/^[+-]$/.test(character) && stage === "e")
        return { ...reading, stage: "e±", isPowerNegative: character === "-" }
      return not
    },
    accepts(reading): Truth {
      switch (reading.stage) {
        case "whole":
        case "fraction":
          return contains(reading, 0, 0)
        case "power":
          return answerOf(reading.power, (low, high) => contains(reading, low, high))
        default:
          return !mustBe
      }
    },
    nameOf: ({ stage, isNegative, place, scale, isPowerNegative, power }) => {
      if (stage === "not") return stage
      // A summary says all that the rest of the exponent depends on.
      if (typeof power === "string") return power
      const sign = `${isNegative ? "-" : ""}${isPowerNegative ? "~" : ""}`
      return `${stage} ${sign}${place} ${scale} ${power}`
    },
  }
}
