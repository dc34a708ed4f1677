import { expect, test } from "vitest"
import { backoff } from "../../../proxy/reload/backoff.ts"

test("waits half a second, then twice as long each time, up to 7½ s, plus up to as much at random", () => {
  const waits = Array.from({ length: 11 }, (_, at) => backoff(at + 1, 0) / 1000)
  expect(waits).toEqual([0.5, 1, 2, 4, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5, 7.5])
  expect(backoff(1, 0.999)).toBeCloseTo(999.5)
})
