import { randomBytes } from "node:crypto"
import { describe, expect, test } from "vitest"
import { createApiKey } from "../../../cli/keys/create-api-key.ts"
import type { KeyRecord } from "../../../proxy/contract/key-record.ts"
import { authenticate } from "../../../proxy/keys/authenticate.ts"
import { createKeyring } from "../../../proxy/keys/keyring.ts"
import { defaultBucket, mintKey, wallClock } from "../fixtures.ts"
import { createTestApp } from "../test-app.ts"

const { secret, record } = mintKey()
const keyring = createKeyring([record], defaultBucket)

test.each([
  ["as documented", `Bearer ${secret}`],
  ["the scheme in lower case", `bearer ${secret}`],
  ["the scheme in upper case", `BEARER ${secret}`],
  ["more than one space", `Bearer   ${secret}`],
])("accepts %s", (_, header) => {
  expect(authenticate(header, keyring, "read", wallClock)).toMatchObject({
    kind: "known",
    key: { record: { id: "web" } },
  })
})

const malformed: readonly (readonly [name: string, header: string | null])[] = [
  ["no header", null],
  ["an empty header", ""],
  ["the scheme alone", "Bearer"],
  ["the scheme and a space", "Bearer "],
  ["the key alone", secret],
  ["a different scheme", `Basic ${secret}`],
  ["no space", `Bearer${secret}`],
  ["a tab for a space", `Bearer\t${secret}`],
  ["two keys", `Bearer ${secret} ${secret}`],
  ["two headers, as they are joined", `Bearer ${secret}, Bearer ${secret}`],
  ["a different key of the right form", `Bearer ${createApiKey(randomBytes)}`],
  ["10 KB of spaces", `Bearer${" ".repeat(10_240)}`],
  ["letters that are not ASCII", `Bearer ${secret.slice(0, -1)}é`],
]

test.each<readonly [string, string | null]>([
  ...malformed,
  ["a control character", `Bearer ${secret}\u0001`],
  ["a line feed", `Bearer ${secret}\n`],
  ["a NUL", `Bearer \0${secret}`],
])("denies %s", (_, header) => {
  expect(authenticate(header, keyring, "read", wallClock)).toMatchObject({ kind: "denied" })
})

describe("a key's times", () => {
  test.each<[string, Partial<KeyRecord>, "known" | "denied"]>([
    ["begins now", { notBefore: wallClock }, "known"],
    ["begins later", { notBefore: wallClock + 1 }, "denied"],
    ["ends later", { expiresAt: wallClock + 1 }, "known"],
    ["ends now", { expiresAt: wallClock }, "denied"],
    ["revoked", { revokedAt: wallClock }, "denied"],
    ["revoked, and not ended", { revokedAt: wallClock - 1, expiresAt: wallClock + 1 }, "denied"],
  ])("%s", (_, times, kind) => {
    const minted = mintKey(times)
    const ring = createKeyring([minted.record], defaultBucket)
    expect(authenticate(`Bearer ${minted.secret}`, ring, "read", wallClock).kind).toBe(kind)
  })
})

describe("a key's use", () => {
  test.each([
    [undefined, "read", "known"],
    [undefined, "evaluate", "known"],
    ["read", "read", "known"],
    ["read", "evaluate", "denied"],
    ["evaluate", "read", "denied"],
    ["evaluate", "evaluate", "known"],
  ] as const)("for %s, used to %s: %s", (only, use, kind) => {
    const minted = mintKey({ for: only })
    const ring = createKeyring([minted.record], defaultBucket)
    for (const _ of ["first", "header remembered"])
      expect(authenticate(`Bearer ${minted.secret}`, ring, use, wallClock)).toMatchObject(
        kind === "known" ? { kind } : { kind, denial: "for another use" },
      )
  })

  test("a key that may only evaluate gets 403 for the flags and their rules, whether the flag exists or not", async () => {
    const app = await createTestApp({ key: { for: "evaluate" } })
    for (const path of ["/v1/flags", "/v1/flags/dark.mode", "/v1/flags/unknown"]) {
      const response = await app.ask(path)
      expect(response.status).toBe(403)
      expect(await response.text()).toBe('{"error":"Forbidden"}')
      expect(Object.fromEntries(response.headers)).toEqual({
        "cache-control": "no-store",
        "content-length": "21",
        "content-type": "application/json",
      })
    }
  })

  test("its refusals draw on the bucket of its address, as strangers' do", async () => {
    const app = await createTestApp({ key: { for: "evaluate" } })
    for (let count = 0; count < 100; count++) expect((await app.ask("/v1/flags")).status).toBe(403)
    expect((await app.ask("/v1/flags")).status).toBe(429)
    expect((await app.ask("/v1/flags", { ip: "192.0.2.2" })).status).toBe(403)
  })
})

test("a header that was seen before works no longer than its key does", () => {
  const times = { notBefore: wallClock, expiresAt: wallClock + 10 }
  for (const end of [times, { notBefore: wallClock, revokedAt: wallClock + 10 }]) {
    const minted = mintKey(end)
    const ring = createKeyring([minted.record], defaultBucket)
    const kindAt = (now: number) => authenticate(`Bearer ${minted.secret}`, ring, "read", now).kind
    expect([0, 5, 10, 11, 9, -1].map((after) => kindAt(wallClock + after))).toEqual([
      "known",
      "known",
      "denied",
      "denied",
      "known",
      "denied",
    ])
  }
})

test("of many spellings of one key no more are cached than there are keys", () => {
  const minted = mintKey()
  const ring = createKeyring([minted.record, mintKey({ id: "other" }).record], defaultBucket)
  const headers = Array.from({ length: 1_000 }, (_, at) => `Bearer${" ".repeat(at + 1)}${minted.secret}`)
  for (const header of headers) expect(authenticate(header, ring, "read", wallClock).kind).toBe("known")
  expect(headers.filter((header) => ring.findByHeader(header) !== undefined)).toHaveLength(2)
})

test("over HTTP, a stranger gets 401 with a challenge and no limits of a key, whether the flag exists or not", async () => {
  const app = await createTestApp()
  for (const path of ["/v1/flags", "/v1/flags/dark.mode", "/v1/flags/unknown"]) {
    const response = await app.ask(path, { headers: { authorization: "Bearer guess" } })
    expect(response.status).toBe(401)
    expect(await response.text()).toBe('{"error":"Unauthorized"}')
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "no-store",
      "content-length": "24",
      "content-type": "application/json",
      "www-authenticate": "Bearer",
    })
  }
})
