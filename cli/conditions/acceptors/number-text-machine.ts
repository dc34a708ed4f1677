import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Machine } from "./acceptor.ts"

/** Where a text stands in ECMAScript's way to write a number. `zero`: `0`; `tiny`: zeros after `0.`; `point`: right after it. */
type Stage = "start" | "-" | "zero" | "tiny" | "whole" | "point" | "fraction" | "e" | "e±" | "power"

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
 * Accepts the texts of finite numbers as ECMAScript writes them. It does not know which numbers of 16 or 17 digits, and
 * which at the ends of what a double can be, are written with these digits. If it is not exact, it accepts texts of too
 * many digits, too.
 */
export function numberTextMachine(isExact: boolean): Machine<Reading> {
  return {
    price: 10,
    start: { stage: "start", isNegative: false, places: 0, digits: 0, zeros: 0, power: "" },
    step(reading, character) {
      const { stage, power, places, zeros } = reading
      const isDigit = character >= "0" && character <= "9"
      const isFirst = isDigit && character !== "0"
      switch (stage) {
        case "start":
          if (character === "-") return { ...reading, stage: "-", isNegative: true }
          if (character === "0") return { ...reading, stage: "zero" }
          return isFirst ? { ...reading, stage: "whole", places: 1, digits: 1 } : undefined
        case "-":
          if (character === "0") return { ...reading, stage: "zero" }
          return isFirst ? { ...reading, stage: "whole", places: 1, digits: 1 } : undefined
        case "zero":
          return character === "." ? { ...reading, stage: "tiny" } : undefined
        case "tiny":
          if (character === "0") return places < mostZeros ? { ...reading, places: places + 1 } : undefined
          return isFirst ? { ...reading, stage: "fraction", places: 0, digits: 1 } : undefined
        case "whole":
          if (isDigit)
            return places < mostWhole || !isExact
              ? withDigit({ ...reading, places: isExact ? places + 1 : 2 }, character, isExact)
              : undefined
          if (character === ".") return { ...reading, stage: "point" }
          return character === "e" && places === 1 ? { ...reading, stage: "e" } : undefined
        case "point":
          return isDigit
            ? withDigit({ ...reading, stage: "fraction", places: Math.min(places, 2) }, character, isExact)
            : undefined
        case "fraction":
          if (isDigit) return withDigit(reading, character, isExact)
          return character === "e" && places === 1 && zeros === 0 ? { ...reading, stage: "e" } : undefined
        case "e":
          return /^[+-]$/.test(character) ? { ...reading, stage: "e±", power: character } : undefined
        case "e±":
          return isFirst
            ? { ...reading, stage: "power", power: isExact ? power + character : power }
            : undefined
        case "power":
          if (!isDigit || power.length === 4) return undefined
          return isExact ? { ...reading, power: power + character } : reading
      }
    },
    accepts({ stage, isNegative, digits, zeros, power }): Truth {
      switch (stage) {
        case "zero":
          return !isNegative
        case "whole":
          return (isExact && digits <= sureDigits) || "unknown"
        case "fraction":
          return zeros === 0 && ((isExact && digits <= sureDigits) || "unknown")
        case "power": {
          const exponent = Number(power)
          if (exponent >= -mostZeros - 1 && exponent < mostWhole) return false
          return (isExact && digits <= sureDigits && Math.abs(exponent) < surePower) || "unknown"
        }
        default:
          return false
      }
    },
    nameOf: ({ stage, isNegative, places, digits, zeros, power }) =>
      `${stage} ${isNegative} ${places} ${digits} ${zeros} ${power}`,
  }
}

/** `undefined` where a double has fewer digits. */
function withDigit(reading: Reading, digit: string, isExact: boolean): Reading | undefined {
  const isZero = digit === "0"
  if (!isExact) return { ...reading, zeros: isZero ? 1 : 0 }
  if (isZero) return reading.zeros < mostWhole ? { ...reading, zeros: reading.zeros + 1 } : undefined
  const digits = reading.digits + reading.zeros + 1
  return digits <= mostDigits ? { ...reading, digits, zeros: 0 } : undefined
}
