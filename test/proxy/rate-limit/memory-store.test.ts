import { expect, test } from "vitest"
import { createMemoryStore } from "../../../proxy/rate-limit/memory-store.ts"

const one = { capacity: 1, refillPerSecond: 1 }

test("each id has a bucket", () => {
  const store = createMemoryStore(10)
  expect(store.take("__proto__", one, 0).kind).toBe("allowed")
  expect(store.take("__proto__", one, 0).kind).toBe("exhausted")
  expect(store.take("constructor", one, 0).kind).toBe("allowed")
})

test("a bucket that grows or shrinks at a reload keeps its tokens, up to its size", () => {
  const store = createMemoryStore(10)
  expect(store.take("web", { capacity: 10, refillPerSecond: 1 }, 0)).toMatchObject({ remaining: 9 })
  expect(store.take("web", { capacity: 5, refillPerSecond: 1 }, 0)).toMatchObject({ limit: 5, remaining: 4 })
  expect(store.take("web", { capacity: 10, refillPerSecond: 1 }, 0)).toMatchObject({ remaining: 3 })
})

test("the table never outgrows its limit: the oldest makes room", () => {
  const store = createMemoryStore(2)
  for (const id of ["a", "b", "c"]) expect(store.take(id, one, 0).kind).toBe("allowed")
  expect(store.take("b", one, 0).kind).toBe("exhausted")
  expect(store.take("a", one, 0).kind).toBe("allowed")
})
