import { expect, test } from "vitest"
import { ageWords, expiryWords } from "../../../../cli/catalog/page/days.ts"

const now = Date.parse("2026-11-21T10:00:00Z")

test.each([
  ["2026-11-21T00:00:00Z", "today"], // a clock that is ahead
  ["2026-11-20T23:59:59Z", "1 day"],
  ["2026-09-23T10:00:00Z", "59 days"],
  ["2026-09-22T10:00:00Z", "1 month"],
  ["2024-11-20T10:00:00Z", "2 years"],
])("what was made at %s is of %j", (time, words) => expect(ageWords(Date.parse(time), now)).toBe(words))

test.each([
  ["2026-11-21", "today"],
  ["2026-11-22", "in 1 day"],
  ["2027-02-21", "in 3 months"],
  ["2026-11-20", "expired 1 day ago"],
])("what expires on %s does so %j", (date, words) => expect(expiryWords(date, now)).toBe(words))
