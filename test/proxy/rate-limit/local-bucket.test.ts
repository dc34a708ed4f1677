import { expect, test } from "vitest"
import { minRefill } from "../../../proxy/contract/bucket.ts"
import { takeLocally } from "../../../proxy/rate-limit/local-bucket.ts"

const bucket = { capacity: 100, refillPerSecond: 10 }

test("has a part of capacity and refill, but a token at least, and one a day", () => {
  expect(takeLocally(undefined, 1_000, bucket, 4, 0).state.tokens).toBe(24)
  expect(takeLocally({ tokens: 0, last: 0 }, 0, bucket, 4, 1_000).state.tokens).toBe(1.5)
  const least = { capacity: 3, refillPerSecond: minRefill }
  expect(takeLocally(undefined, 8, least, 8, 0).state.tokens).toBe(0)
  const empty = { tokens: 0, last: 0 }
  expect(takeLocally(empty, 0, least, 8, 86_399_000).allowance.kind).toBe("exhausted")
  expect(takeLocally(empty, 0, least, 8, 86_400_000).allowance.kind).toBe("allowed")
})

test("begins with a part of what was left, and says the limit of all", () => {
  const first = takeLocally(undefined, 40, bucket, 4, 1000.7)
  expect(first).toEqual({
    allowance: { kind: "allowed", limit: 100, remaining: 9 },
    state: { tokens: 9, last: 1000 },
  })
  expect(takeLocally(first.state, 0, bucket, 4, 1400).allowance).toMatchObject({ remaining: 9 })
  expect(takeLocally(undefined, 3, bucket, 4, 0).allowance).toEqual({
    kind: "exhausted",
    limit: 100,
    retryAfter: 1,
  })
})

test("follows the number of proxies", () => {
  const { state } = takeLocally(undefined, 100, bucket, 1, 0)
  expect(takeLocally(state, 0, bucket, 5, 0).allowance).toMatchObject({ remaining: 19 })
})
