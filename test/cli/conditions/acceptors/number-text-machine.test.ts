import fc from "fast-check"
import { expect, test } from "vitest"
import { numberTextMachine } from "../../../../cli/conditions/acceptors/number-text-machine.ts"
import { runs } from "../../../runs.ts"
import { verdictOf } from "./reading.ts"

test("the texts of numbers are told from other texts", () => {
  const short = fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: -330, max: 310 }))
  const text = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    short.map(([digits, power]) => String(Number(`${digits}e${power}`))),
    short.map(([digits, power]) => `${digits}e${power < 0 ? "" : "+"}${power}`),
    fc.string({ unit: fc.constantFrom(..."0019.e+-5"), maxLength: 8 }),
    fc
      .integer({ min: 1, max: 9 })
      .chain((digit) => fc.integer({ min: 0, max: 23 }).map((zeros) => `${digit}${"0".repeat(zeros)}`)),
    fc.integer({ min: 0, max: 9 }).map((zeros) => `0.${"0".repeat(zeros)}1`),
  )
  fc.assert(
    fc.property(text, fc.boolean(), (one, isExact) => {
      const expected = Number.isFinite(Number(one)) && String(Number(one)) === one
      const verdict = verdictOf(numberTextMachine(isExact), one)
      expect([one, verdict]).toEqual([one, verdict === "unknown" ? verdict : expected])
      // Fifteen digits are always written as they are.
      const isShort = one.replace(/e.*|\D/g, "").length <= 15 && !/e.*\d{3}/.test(one)
      if (isExact && isShort) expect([one, verdict]).toEqual([one, expected])
    }),
    { numRuns: runs(10_000) },
  )
})
