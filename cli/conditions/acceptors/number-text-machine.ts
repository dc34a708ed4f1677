import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Machine } from "./acceptor.ts"

/** Where a text stands in ECMAScript's way to write a number. `zero`: `0`; `tiny`: zeros after `0.`; `point`: right after it. */
type Stage = "start" | "-" | "zero" | "tiny" | "whole" | "point" | "fraction" | "e" | "e±" | "power"

/** How far a number is written: not its digits, but how many there are, which is all that ECMAScript's rules are about. */
interface Reading {
  readonly stage: Stage
  readonly isNegative: boolean
  /** Digits before the point, or zeros right after it. */
  readonly places: number
  /** Digits from the first to the last that is not 0. */
  readonly digits: number
  /** Zeros since then. */
  readonly zeros: number
  readonly power: string
}

/** Digits before the point: ECMAScript writes numbers from 1e21 on with an exponent. */
const mostWhole = 21
/** Zeros right after the point: it writes numbers below 1e-6 with an exponent, too. */
const mostZeros = 5
/** A double is written with at most so many digits from the first to the last that is not 0 (IEEE 754). */
const mostDigits = 17
/** Every number of so many digits is written with them, but near the ends of what a double can be. */
const sureDigits = 15
const surePower = 300

/**
 * Accepts the texts of finite numbers as ECMAScript writes them, and refuses a text at the first character that it would
 * not write there. It does not know which numbers of 16 or 17 digits, and which at the ends of what a double can be, are
 * written with these digits. If it is not exact, it accepts texts of too many digits, too, and counts none of them.
 */
export function numberTextMachine(isExact: boolean): Machine<Reading> {
  return {
    price: 10,
    start: { stage: "start", isNegative: false, places: 0, digits: 0, zeros: 0, power: "" },
    step(reading, character) {
      switch (reading.stage) {
        case "start":
        case "-":
          return atStart(reading, character)
        case "zero":
        case "tiny":
          return belowOne(reading, character)
        case "whole":
          return inWhole(reading, character, isExact)
        case "point":
        case "fraction":
          return inFraction(reading, character, isExact)
        default:
          return inPower(reading, character, isExact)
      }
    },
    accepts: (reading) => isWritten(reading, isExact),
    nameOf: ({ stage, isNegative, places, digits, zeros, power }) =>
      `${stage} ${isNegative} ${places} ${digits} ${zeros} ${power}`,
  }
}

function atStart(reading: Reading, character: string): Reading | undefined {
  if (character === "-" && reading.stage === "start") return { ...reading, stage: "-", isNegative: true }
  if (character === "0") return { ...reading, stage: "zero" }
  return isFirst(character) ? { ...reading, stage: "whole", places: 1, digits: 1 } : undefined
}

/** After `0`, or after `0.` and zeros. */
function belowOne(reading: Reading, character: string): Reading | undefined {
  const { stage, places } = reading
  if (stage === "zero") return character === "." ? { ...reading, stage: "tiny" } : undefined
  if (character === "0") return places < mostZeros ? { ...reading, places: places + 1 } : undefined
  return isFirst(character) ? { ...reading, stage: "fraction", places: 0, digits: 1 } : undefined
}

function inWhole(reading: Reading, character: string, isExact: boolean): Reading | undefined {
  const { places } = reading
  if (character === ".") return { ...reading, stage: "point" }
  if (character === "e") return places === 1 ? { ...reading, stage: "e" } : undefined
  if (!isDigit(character) || (isExact && places === mostWhole)) return undefined
  return withDigit({ ...reading, places: isExact ? places + 1 : 2 }, character, isExact)
}

function inFraction(reading: Reading, character: string, isExact: boolean): Reading | undefined {
  const { stage, places, zeros } = reading
  if (isDigit(character)) {
    // Whether there was one digit before the point still matters: an exponent may follow.
    const own: Reading =
      stage === "point" ? { ...reading, stage: "fraction", places: Math.min(places, 2) } : reading
    return withDigit(own, character, isExact)
  }
  const isEnd = stage === "fraction" && places === 1 && zeros === 0
  return character === "e" && isEnd ? { ...reading, stage: "e" } : undefined
}

function inPower(reading: Reading, character: string, isExact: boolean): Reading | undefined {
  const { stage, power } = reading
  if (stage === "e")
    return /^[+-]$/.test(character) ? { ...reading, stage: "e±", power: character } : undefined
  const mayFollow = stage === "e±" ? isFirst(character) : isDigit(character) && power.length < 4
  return mayFollow ? { ...reading, stage: "power", power: isExact ? power + character : power } : undefined
}

/** The digits of a number, one more; `undefined` where a double has fewer. */
function withDigit(reading: Reading, digit: string, isExact: boolean): Reading | undefined {
  const isZero = digit === "0"
  if (!isExact) return { ...reading, zeros: isZero ? 1 : 0 }
  if (isZero) return reading.zeros < mostWhole ? { ...reading, zeros: reading.zeros + 1 } : undefined
  const digits = reading.digits + reading.zeros + 1
  return digits <= mostDigits ? { ...reading, digits, zeros: 0 } : undefined
}

/** Whether ECMAScript writes a number just so. */
function isWritten({ stage, isNegative, digits, zeros, power }: Reading, isExact: boolean): Truth {
  const isSure = isExact && digits <= sureDigits
  switch (stage) {
    case "zero":
      return !isNegative
    case "whole":
      return isSure || "unknown"
    case "fraction":
      return zeros === 0 && (isSure || "unknown")
    case "power": {
      const exponent = Number(power)
      if (exponent >= -mostZeros - 1 && exponent < mostWhole) return false
      return (isSure && Math.abs(exponent) < surePower) || "unknown"
    }
    default:
      return false
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9"
}

/** Whether a number, or an exponent, can begin with the digit. */
function isFirst(character: string): boolean {
  return character >= "1" && character <= "9"
}
