import type { Interval } from "./intervals.ts"

export function compareNumbers(a: number, b: number): number {
  return a - b
}

/** The first and the last double of an interval, infinities included; `undefined` where it has none. */
export function doublesOf({ from, to }: Interval<number>): readonly [number, number] | undefined {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : from.isAfter ? nextUp(from.value) : from.value
  const last = to === undefined ? Number.POSITIVE_INFINITY : to.isAfter ? to.value : -nextUp(-to.value)
  return first <= last ? [first, last] : undefined
}

/** The next double; NaN after infinity. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  double[0] = value
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n)
  return double[0]
}

/** Two views of the same eight bytes. */
const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** At least three numbers of an interval, if it has so many. Those that authors would write come first. */
export function* someNumbers(interval: Interval<number>): Generator<number> {
  const range = doublesOf(interval)
  if (range === undefined) return
  const [first, last] = range
  const low = Math.max(first, -Number.MAX_VALUE)
  const high = Math.min(last, Number.MAX_VALUE)
  if (low > high) return yield first // an infinity
  const start = low > -1e15 ? Math.ceil(low) : high < 1e15 ? Math.floor(high) : 0
  for (const whole of [start, start + 1, start - 1, 0, 1]) if (whole >= low && whole <= high) yield whole
  const width = Math.min(high - low, 1e6)
  const anchor = low > -1e15 ? low : high - width
  for (const index of [1, 2, 3]) yield anchor + width * ((index * 0.618033988749895) % 1)
}

/**
 * Ways to write a number: itself and strings that stand for it, all distinct and about `count` of them. Infinity has only
 * strings, because JSON cannot carry it.
 */
export function* spellNumber(number: number, count: number): Generator<number | string> {
  const plain = String(number).replace("Infinity", "1e400")
  if (Number.isFinite(number)) yield number
  const [, sign = "", whole = "", fraction = "", exponent = ""] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e\+?(-?\d+))?$/.exec(plain) ?? []
  for (let index = 0; index < count; index++) {
    // Each takes a digit of the index, the lowest first: zeros after the fraction, in the exponent, before the number.
    const [trailing, inExponent, leading] = [index % 16, (index >> 4) % 16, index >> 8]
    const decimals = fraction + "0".repeat(trailing)
    const exponentSign = exponent.startsWith("-") ? "-" : ""
    const exponentDigits = exponent.replace("-", "") || (inExponent > 0 ? "0" : "")
    const power = exponentDigits === "" ? "" : `e${exponentSign}${"0".repeat(inExponent)}${exponentDigits}`
    yield `${sign}${"0".repeat(leading)}${whole}${decimals === "" ? "" : `.${decimals}`}${power}`
  }
  // A version has no exponent.
  if (Math.abs(number) >= 1e21) yield wholeText(number)
}

function wholeText(number: number): string {
  return Number.isFinite(number)
    ? String(BigInt(number))
    : String(number).replace("Infinity", `1${"0".repeat(400)}`)
}
