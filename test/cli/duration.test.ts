import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseBucketOption } from "../../cli/commands/options.ts"
import { parseDuration } from "../../cli/duration.ts"
import { readExpiry } from "../../cli/keys/expiry.ts"

describe("parseDuration", () => {
  test.each([
    ["0s", 0],
    ["250ms", 250],
    ["30s", 30_000],
    ["5m", 300_000],
    ["12h", 43_200_000],
    ["90d", 7_776_000_000],
    ["007s", 7000],
  ])("%s", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each(["", "5", "s", "-5s", "1.5h", "5s\n", "1h30m", "٥s", "999999999999d"])(
    "%j is invalid",
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  test("never throws and returns whole milliseconds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d+(ms|s|m|h|d)$/)), (text) => {
        const milliseconds = parseDuration(text)
        expect(milliseconds === undefined || Number.isSafeInteger(milliseconds)).toBe(true)
      }),
    )
  })
})

describe("parseBucketOption", () => {
  test.each([
    ["100/10", 100, 10],
    ["1/0.5", 1, 0.5],
    ["5/0.0001", 5, 1e-4],
  ])("%s", (text, capacity, refillPerSecond) => {
    expect(parseBucketOption(text)).toEqual({ capacity, refillPerSecond })
  })

  test.each([
    "",
    "100",
    "100/",
    "/10",
    "0/10",
    "10/0",
    "10/0.0",
    "1.5/1",
    "5/0.000000001", // would be told to wait for years
    "1/Infinity",
  ])("%j is invalid", (text) => {
    expect(() => parseBucketOption(text)).toThrow("Write capacity and refill per second")
  })
})

describe("readExpiry", () => {
  const now = Date.UTC(2026, 10, 21, 10)

  test.each([
    ["90d", now + 7_776_000_000],
    ["1ms", now + 1],
    ["2027-03-01", Date.UTC(2027, 2, 1)],
    ["9999-12-31", Date.UTC(9999, 11, 31)],
    ["2027-03-01T12:00:00+02:00", Date.UTC(2027, 2, 1, 10)],
  ])("%s", (text, moment) => {
    expect(readExpiry("--expires", text, now)).toBe(moment)
  })

  test.each([
    "",
    "tomorrow",
    "2026-11-21",
    "2026-11-21T10:00:00Z",
    "2027-02-29",
    "3000000d",
    "9999-12-31T00:00:00.001Z",
  ])("%j is invalid", (text) => {
    expect(() => readExpiry("--expires", text, now)).toThrow("--expires: write a time in the future")
  })
})
