import { expect, test } from "vitest"
import { parseDate } from "../../../../cli/compile/definition/date.ts"

test.each([
  ["2026-11-21", Date.UTC(2026, 10, 21)],
  ["2028-02-29", Date.UTC(2028, 1, 29)],
  ["2026-11-21T10:00:00+02:00", Date.UTC(2026, 10, 21, 8)],
  ["2026-11-21t10:00:00z", Date.UTC(2026, 10, 21, 10)],
  ["2016-12-31T23:59:60Z", Date.UTC(2016, 11, 31, 23, 59, 59)],
  ["2016-12-31T23:59:60.5Z", Date.UTC(2016, 11, 31, 23, 59, 59, 500)],
  ["2026-11-21T10:00:00.1234567890123Z", Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
])("%s is a date", (text, moment) => {
  expect(parseDate(text)).toBe(moment)
})

test.each([
  "",
  "2026-02-30",
  "2026-13-01",
  "2027-02-29",
  "2026-11-21\n",
  "2026-11-21T24:00:00Z",
  "2026-11-21T10:00:61Z",
  "2026-11-21T10:60:00Z",
  "2026-11-21T10:00:00",
  "2026-11-21T10:00:00.Z",
  "21.11.2026",
  "tomorrow",
])("%j is none", (text) => {
  expect(parseDate(text)).toBeUndefined()
})
