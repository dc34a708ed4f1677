import { expect, test } from "vitest"
import { readSourceDateEpoch } from "../../../cli/project/source-date-epoch.ts"

test.each([
  [undefined, undefined],
  ["0", 0],
  ["1800000000", 1_800_000_000],
  ["999999999999", 999_999_999_999],
])("SOURCE_DATE_EPOCH %s is %s", (text, seconds) =>
  expect(readSourceDateEpoch(text === undefined ? {} : { SOURCE_DATE_EPOCH: text })).toBe(seconds),
)

test.each(["", "-1", "1.5", "1e3", " 1", "1000000000000", "2026-01-01"])("%j is refused", (text) => {
  expect(() => readSourceDateEpoch({ SOURCE_DATE_EPOCH: text })).toThrow(
    `SOURCE_DATE_EPOCH must be seconds since 1970, not ${JSON.stringify(text)}`,
  )
})
