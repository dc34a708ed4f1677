import fc from "fast-check"
import { expect, test } from "vitest"
import { parseTime } from "../../../proxy/contract/time.ts"

test.each([
  ["2026-11-21T10:00:00Z", Date.UTC(2026, 10, 21, 10)],
  ["2026-11-21T10:00:00.5Z", Date.UTC(2026, 10, 21, 10, 0, 0, 500)],
  ["2026-11-21T10:00:00.123456789Z", Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
  ["2026-11-21T10:00:00+02:00", Date.UTC(2026, 10, 21, 8)],
  ["2026-11-21T10:00:00-00:30", Date.UTC(2026, 10, 21, 10, 30)],
  ["2028-02-29T00:00:00Z", Date.UTC(2028, 1, 29)],
])("%s is a time", (text, moment) => {
  expect(parseTime(text)).toBe(moment)
})

test.each([
  "",
  "2026-11-21",
  "2026-11-21 10:00:00Z",
  "2026-11-21T10:00:00",
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-21T24:00:00Z",
  "2026-11-21T10:60:00Z",
  "2026-11-21T10:00:00+25:00",
  "2026-11-21T10:00:00.Z",
  "+012026-11-21T10:00:00Z",
  "2026-11-21T10:00:00Z\n",
  "٢026-11-21T10:00:00Z",
])("%j is no time", (text) => {
  expect(parseTime(text)).toBeUndefined()
})

test("returns every moment of the years 0 to 9999", () => {
  const moments = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, (moment) => {
      expect(parseTime(moment.toISOString())).toBe(moment.getTime())
    }),
  )
})
