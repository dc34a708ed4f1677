import type { Interval } from "../intervals.ts"
import { doublesOf } from "../numbers.ts"

/** A number halfway between two doubles: ± 0.`digits` × 10^`scale`. It is never 0. */
export interface Halfway {
  readonly isNegative: boolean
  /** From the first one that is not 0 to the last one. */
  readonly digits: string
  readonly scale: number
}

/** An end of an interval of decimal numbers, which belongs to the interval or does not. */
export interface DecimalEnd {
  readonly at: Halfway
  readonly isIncluded: boolean
}

/** Decimal numbers between two ends; `undefined`: there is no limit on that side. */
export interface DecimalInterval {
  readonly from: DecimalEnd | undefined
  readonly to: DecimalEnd | undefined
}

/** The decimal numbers of any length that are read as a double of the interval; `undefined` where it has no double. */
export function decimalsOf(interval: Interval<number>): DecimalInterval | undefined {
  const range = doublesOf(interval)
  if (range === undefined) return undefined
  const [first, last] = range
  return {
    from: first === Number.NEGATIVE_INFINITY ? undefined : endBetween(-neighbour(-first), first, first),
    to: last === Number.POSITIVE_INFINITY ? undefined : endBetween(last, neighbour(last), last),
  }
}

/** The end halfway between two doubles that are neighbours. IEEE 754 rounds it to the one whose last bit is 0. */
function endBetween(low: number, high: number, own: number): DecimalEnd {
  return { at: halfway(low, high), isIncluded: (bitsOf(own) & 1n) === 0n }
}

function halfway(low: number, high: number): Halfway {
  const [a, b] = [exact(low), exact(high)]
  const exponent = Math.min(a.exponent, b.exponent)
  const double = (a.mantissa << BigInt(a.exponent - exponent)) + (b.mantissa << BigInt(b.exponent - exponent))
  const isNegative = double < 0n
  const size = isNegative ? -double : double
  // Half of `double` × 2^exponent. Dividing by 2 is multiplying by 5 and dividing by 10.
  const power = exponent - 1
  const digits = String(power < 0 ? size * 5n ** BigInt(-power) : size << BigInt(power))
  return { isNegative, digits: digits.replace(/0+$/, ""), scale: digits.length + Math.min(power, 0) }
}

/** A double as mantissa × 2^exponent. What would follow the greatest one stands for infinity, as rounding has it. */
function exact(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = bitsOf(Math.abs(value))
  const [fraction, biased] = [bits & 0xf_ffff_ffff_ffffn, Number(bits >> 52n)]
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n)
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 }
}

/** The next greater double. */
function neighbour(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  const bits = bitsOf(value)
  return new Float64Array(new BigInt64Array([value > 0 ? bits + 1n : bits - 1n]).buffer)[0] ?? 0
}

function bitsOf(value: number): bigint {
  return new BigInt64Array(new Float64Array([value]).buffer)[0] ?? 0n
}
