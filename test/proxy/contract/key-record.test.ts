import { describe, expect, test } from "vitest"
import { isFor, type KeyRecord, keyEnd, keyState } from "../../../proxy/contract/key-record.ts"

describe("keyState", () => {
  const key: KeyRecord = {
    id: "a",
    project: undefined,
    environment: "production",
    for: undefined,
    flags: undefined,
    digest: "5f".repeat(32),
    createdAt: 1000,
    notBefore: 2000,
    expiresAt: 3000,
    revokedAt: undefined,
    owner: undefined,
    rateLimit: undefined,
  }

  test.each([
    [{}, 1999, "not yet"],
    [{}, 2000, "active"],
    [{}, 3000, "expired"],
    [{ revokedAt: 2500 }, 2499, "active"],
    [{ revokedAt: 2500 }, 2500, "revoked"],
    [{ revokedAt: 500 }, 600, "revoked"],
    [{ notBefore: undefined, expiresAt: undefined }, 0, "active"],
    [{ notBefore: undefined, expiresAt: undefined }, Number.MAX_SAFE_INTEGER, "active"],
  ] as const)("with %j at %d is %s", (change, now, state) => {
    expect(keyState({ ...key, ...change }, now)).toBe(state)
  })

  test.each([
    [{}, 3000],
    [{ expiresAt: undefined }, Infinity],
    [{ revokedAt: 2500 }, 2500],
    [{ revokedAt: 3500 }, 3000],
  ])("with %j it ends at %d", (change, end) => expect(keyEnd({ ...key, ...change })).toBe(end))

  test.each([
    [undefined, true, true],
    ["read", true, false],
    ["evaluate", false, true],
  ] as const)("for %s", (use, mayRead, mayEvaluate) => {
    const made = { ...key, for: use }
    expect([isFor(made, "read"), isFor(made, "evaluate")]).toEqual([mayRead, mayEvaluate])
  })
})
