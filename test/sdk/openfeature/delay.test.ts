import fc from "fast-check"
import { expect, test } from "vitest"
import { failed } from "../../../sdk/openfeature/ask-for-document.ts"
import { delayOf, type Situation } from "../../../sdk/openfeature/delay.ts"

const failure = failed("cannot be reached")
const polling: Situation = { pollInterval: 30_000, failure: undefined, failures: 0, hasFlags: true }

test.each<[string, Partial<Situation>, number]>([
  ["after an answer", {}, 30_000],
  ["after a failure", { failure, failures: 1 }, 30_000],
  ["after two", { failure, failures: 2 }, 60_000],
  ["after many", { failure, failures: 2000 }, 300_000],
  ["at the start", { failure, failures: 1, hasFlags: false }, 1_000],
  ["at the start, much later", { failure, failures: 2000, hasFlags: false }, 30_000],
  ["where the key is refused", { failure: { ...failure, isRefused: true }, failures: 1 }, 300_000],
  ["where a server asks for less", { failure: { ...failure, retryAfter: 2_000 }, failures: 1 }, 2_200],
  ["where a server asks for more", { failure: { ...failure, retryAfter: 100_000 }, failures: 1 }, 110_000],
  ["where a server asks for years", { failure: { ...failure, retryAfter: 1e12 }, failures: 1 }, 3_960_000],
])("%s", (_, situation, delay) => {
  expect(delayOf({ ...polling, ...situation }, 0.5)).toBe(delay)
})

test("is spread, never sooner than a server asks for, and never more than a timer can wait", () => {
  fc.assert(
    fc.property(
      fc.record({
        random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        pollInterval: fc.integer({ min: 1, max: 86_400_000 }),
        failures: fc.integer({ min: 1, max: 5000 }),
        retryAfter: fc.option(fc.nat({ max: 1e12 }), { nil: undefined }),
        isRefused: fc.boolean(),
        hasFlags: fc.boolean(),
      }),
      ({ random, retryAfter, isRefused, ...rest }) => {
        const delay = delayOf({ ...rest, failure: { ...failure, retryAfter, isRefused } }, random)
        expect(delay).toBeGreaterThanOrEqual(Math.min(retryAfter ?? 0, 3_600_000))
        expect(delay).toBeLessThan(2 ** 31)
        expect(delayOf({ ...rest, failure: undefined }, random)).toBeGreaterThanOrEqual(
          Math.floor(0.8 * rest.pollInterval),
        )
      },
    ),
  )
})
