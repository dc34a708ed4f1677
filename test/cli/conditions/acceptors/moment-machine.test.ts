import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { momentMachine } from "../../../../cli/conditions/acceptors/moment-machine.ts"
import { narrowerZones } from "../../../../cli/conditions/acceptors/moment-zone.ts"
import { after, before, type Intervals } from "../../../../cli/conditions/intervals.ts"
import type { Truth } from "../../../../sdk/evaluation/match-condition.ts"
import { parseMoment } from "../../../../sdk/evaluation/moment.ts"
import { runs } from "../../../runs.ts"
import { verdictOf } from "./reading.ts"

const day = 86_400_000
const known = [
  "2026-01-01",
  "2024-02-29",
  "0000-01-01",
  "9999-12-31",
  "1900-02-28",
  "2000-02-29",
  "1970-01-01",
]
const moment = fc
  .tuple(
    fc.constantFrom(...known),
    fc.integer({ min: -2 * day, max: 2 * day }),
    fc.constantFrom(1, 1_000, 60_000, day),
  )
  .map(([date, away, unit]) => Date.parse(date) + Math.trunc(away / unit) * unit)
const end = fc.option(moment, { nil: undefined })
const intervals: fc.Arbitrary<Intervals<number>> = fc.tuple(end, end).map(([from, to]) => [
  {
    from: from === undefined ? undefined : before(from),
    to: to === undefined ? undefined : after(to),
  },
])

const two = (most: number) =>
  fc.integer({ min: 0, max: most + 1 }).map((number) => String(number).padStart(2, "0"))
const zone = fc.oneof(
  fc.constantFrom("Z", "z", "+00:00", "-00:00", "+23:59", "-23:59", "+24:00", "+05:60"),
  fc
    .tuple(fc.constantFrom("+", "-"), two(23), two(59))
    .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
)
const date = fc.oneof(
  fc.constantFrom(...known, "2023-02-29", "2025-12-31", "1900-02-29"),
  fc
    .tuple(fc.integer({ min: 0, max: 9999 }), two(12), two(31))
    .map(([year, month, of]) => `${String(year).padStart(4, "0")}-${month}-${of}`),
)
const near = fc
  .tuple(moment, zone, fc.constantFrom("", "9", "000"))
  .map(([at, offset, more]) =>
    new Date(Math.min(Math.max(at, -62167219200000), 253402300799999))
      .toISOString()
      .replace("Z", more + offset),
  )
const text = fc.oneof(
  date,
  near,
  fc
    .tuple(
      date,
      fc.constantFrom("T", "t", " "),
      two(23),
      two(59),
      two(59),
      fc.constantFrom("", ".", ".1", ".0009", ".999", ".12345"),
      zone,
    )
    .map(
      ([of, t, hours, minutes, seconds, fraction, offset]) =>
        `${of}${t}${hours}:${minutes}:${seconds}${fraction}${offset}`,
    ),
  fc.tuple(near, fc.nat(30)).map(([of, length]) => of.slice(0, length)),
)

function isIn(value: number, [interval]: Intervals<number>): boolean {
  const { from, to } = interval ?? {}
  return (from === undefined || value >= from.value) && (to === undefined || value <= to.value)
}

/** What the machines of all offsets say together; those of `+` and `-` are asked more closely where they do not know. */
function verdict(all: Intervals<number>, of: string): Truth {
  const ask = (zone: string): Truth => {
    const answer = verdictOf(momentMachine(all, true, zone), of)
    return answer === "unknown" ? narrowerZones(zone).map(ask).includes(true) : answer
  }
  return ["utc", "+", "-"].map(ask).includes(true)
}

describe("moments, read character by character", () => {
  test("are in the intervals where the evaluation's reading is", () => {
    fc.assert(
      fc.property(intervals, text, (all, of) => {
        const value = parseMoment(of)
        expect([of, verdict(all, of)]).toEqual([of, value !== undefined && isIn(value, all)])
      }),
      { numRuns: runs(10_000) },
    )
  })

  test("or are dates alone, where texts may be anything else", () => {
    fc.assert(
      fc.property(
        intervals,
        fc.oneof(
          date,
          near.map((of) => of.slice(0, 9)),
        ),
        (all, of) => {
          const value = parseMoment(of)
          const expected = value === undefined || isIn(value, all)
          expect([of, verdictOf(momentMachine(all, false, "utc"), of)]).toEqual([of, expected])
        },
      ),
      { numRuns: runs(2_000) },
    )
  })

  test("of Dates outside the years of texts, too", () => {
    const far = fc.oneof(
      fc.integer({ min: -8.64e15, max: 8.64e15 }),
      fc.integer({ min: -8.64e15, max: 8.64e15 }).map((one) => Math.trunc(one / day) * day),
    )
    const limits = fc.tuple(fc.option(far, { nil: undefined }), fc.option(far, { nil: undefined }))
    fc.assert(
      fc.property(limits, far, fc.integer({ min: -3, max: 3 }), ([from, to], at, away) => {
        const all = [
          {
            from: from === undefined ? undefined : before(from),
            to: to === undefined ? undefined : after(to),
          },
        ]
        for (const one of [at, (from ?? at) + away]) {
          if (Math.abs(one) > 8.64e15) continue
          const of = new Date(one).toISOString()
          if (!/^[+-]/.test(of)) continue
          expect([of, verdictOf(momentMachine(all, true, "date"), of)]).toEqual([of, isIn(one, all)])
          const other = of.replace(/\d/, "9")
          const value = Date.parse(other)
          const isDate = !Number.isNaN(value) && new Date(value).toISOString() === other
          if (isDate)
            expect([other, verdictOf(momentMachine(all, true, "date"), other)]).toEqual([
              other,
              isIn(value, all),
            ])
        }
      }),
      { numRuns: runs(5_000) },
    )
  })
})
