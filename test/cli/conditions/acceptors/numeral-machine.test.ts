import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { numeralMachine } from "../../../../cli/conditions/acceptors/numeral-machine.ts"
import { after, before, type Intervals } from "../../../../cli/conditions/intervals.ts"
import { numberOf } from "../../../../sdk/evaluation/decimal.ts"
import { runs } from "../../../runs.ts"
import { verdictOf } from "./reading.ts"

const exact = { scale: 3_000, digits: 800 }
const ends = [
  0,
  1,
  5,
  -3,
  0.1,
  1.5,
  1e21,
  1e-7,
  5e-324,
  2 ** 53,
  1.7976931348623157e308,
  2.2250738585072014e-308,
]
const end = fc.oneof(fc.constantFrom(...ends), fc.double({ noNaN: true, noDefaultInfinity: true }))
const cut = fc.record({ value: end, isAfter: fc.boolean() })
const limit = fc.option(cut, { nil: undefined })
const intervals: fc.Arbitrary<Intervals<number>> = fc.oneof(
  fc.record({ from: limit, to: limit }).map((one) => [one]),
  end.map((one) => [{ from: before(one), to: after(one) }]),
)

function isIn(value: number | undefined, all: Intervals<number>): boolean {
  return (
    value !== undefined &&
    all.some(
      ({ from, to }) =>
        (from === undefined || value > from.value || (value === from.value && !from.isAfter)) &&
        (to === undefined || value < to.value || (value === to.value && to.isAfter)),
    )
  )
}

/** A number halfway between two doubles, in all its digits, and its neighbours. */
function halfway(value: number): readonly string[] {
  const bits = new BigInt64Array(new Float64Array([Math.abs(value)]).buffer)
  const next = new Float64Array(new BigInt64Array([(bits[0] ?? 0n) + 1n]).buffer)[0] ?? 0
  if (!Number.isFinite(next))
    return ["1797693134862315807e290", "1797693134862315808e290", "1.7976931348623158e308"]
  const power = 1_100n
  const scaled = (one: number): bigint => {
    const own = new BigInt64Array(new Float64Array([one]).buffer)[0] ?? 0n
    const [fraction, biased] = [own & 0xf_ffff_ffff_ffffn, own >> 52n]
    const shift = (biased === 0n ? 1n : biased) - 1075n + power
    return (biased === 0n ? fraction : fraction | (1n << 52n)) << shift
  }
  const digits = String(((scaled(Math.abs(value)) + scaled(next)) / 2n) * 5n ** power)
  const sign = value < 0 ? "-" : ""
  const text = (one: bigint) => `${sign}${one}e-${power}`
  return [text(BigInt(digits)), text(BigInt(digits) + 1n), text(BigInt(digits) - 1n)]
}

const spelling = (value: number) =>
  fc.constantFrom(
    ...[
      String(value),
      value.toExponential(),
      `${value}0`,
      `0${value}`,
      `${value}e0`,
      value.toPrecision(21),
      ...halfway(value),
    ],
    ...(Math.abs(value) < 1e21 ? [value.toFixed(20), value.toFixed(0)] : [String(BigInt(value))]),
    `${String(value).replace("e", "00e")}`,
  )
const near = end.chain(spelling)
const anyText = fc.string({ unit: fc.constantFrom(..."0123456789.eE+-00159ee--"), maxLength: 12 })
const numeral = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.string({ unit: fc.constantFrom(..."0001459"), minLength: 1, maxLength: 30 }),
    fc.option(fc.string({ unit: fc.constantFrom(..."0001459"), minLength: 1, maxLength: 30 }), {
      nil: undefined,
    }),
    fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
  )
  .map(([sign, whole, fraction, power]) =>
    [sign, whole, fraction === undefined ? "" : `.${fraction}`, power === undefined ? "" : `e${power}`].join(
      "",
    ),
  )

describe("decimal numbers, read character by character", () => {
  test("are in the intervals where the evaluation's reading is", () => {
    fc.assert(
      fc.property(intervals, fc.oneof(near, anyText, numeral), fc.boolean(), (all, text, mustBe) => {
        const value = numberOf(text)
        const expected = value === undefined ? !mustBe : isIn(value, all)
        expect([text, verdictOf(numeralMachine(all, mustBe, exact), text)]).toEqual([text, expected])
      }),
      { numRuns: runs(5_000) },
    )
  })

  test("are never read wrongly where the look is not close", () => {
    const precision = fc.constantFrom(
      { scale: 0, digits: 1 },
      { scale: 3, digits: 4 },
      { scale: 8, digits: 20 },
    )
    fc.assert(
      fc.property(
        intervals,
        fc.oneof(near, anyText, numeral),
        fc.boolean(),
        precision,
        (all, text, mustBe, coarse) => {
          const value = numberOf(text)
          const expected = value === undefined ? !mustBe : isIn(value, all)
          const verdict = verdictOf(numeralMachine(all, mustBe, coarse), text)
          expect([text, verdict]).toEqual([text, verdict === "unknown" ? verdict : expected])
        },
      ),
      { numRuns: runs(5_000) },
    )
  })
})
