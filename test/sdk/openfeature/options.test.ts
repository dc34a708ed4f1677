import { describe, expect, test } from "vitest"
import { readRemoteOptions } from "../../../sdk/openfeature/options.ts"

describe("the address of the document", () => {
  test.each([
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/flags"],
    ["https://flags.example/", "https://flags.example/v1/flags"],
    ["https://cdn.example/production", "https://cdn.example/production/v1/flags"],
    ["https://cdn.example/production/v1/flags.json", "https://cdn.example/production/v1/flags.json"],
    ["https://cdn.example/production//#top", "https://cdn.example/production/v1/flags"],
    ["https://cdn.example/production?token=1", "https://cdn.example/production/v1/flags?token=1"],
  ])("%s", (url, address) => {
    expect(readRemoteOptions({ url }).address).toBe(address)
  })
})

test.each([
  [{ url: "https://flags.example/team-a/" }, "https://flags.example/team-a/v1/events"],
  [{ url: "https://flags.example/production?token=1" }, "https://flags.example/production/v1/events?token=1"],
  [{ url: "https://cdn.example/production/v1/flags.json" }, undefined],
  [{ url: "https://flags.example", events: false }, undefined],
])("the address of events: %j", (options, address) => {
  expect(readRemoteOptions(options).eventsAddress).toBe(address)
})

test("defaults", () => {
  expect(readRemoteOptions({ url: "http://proxy.example", apiKey: "fsk_" })).toMatchObject({
    shown: "http://proxy.example/v1/flags",
    headers: { authorization: "Bearer fsk_" },
    pollInterval: 30_000,
    staleAfter: 90_000,
    documentLimit: 67_108_864,
    cacheFile: undefined,
  })
})

test("what is given", () => {
  const headers = { "x-team": "shop" }
  const given = { pollInterval: 86_400_000, staleAfter: 1, documentLimit: 1, cacheFile: "last.json", headers }
  const url = "http://proxy.example/?token=1"
  expect(readRemoteOptions({ url, ...given })).toMatchObject({
    ...given,
    shown: "http://proxy.example/v1/flags",
  })
  expect(readRemoteOptions({ url, pollInterval: 1000 }).staleAfter).toBe(3000)
  const ours = { authorization: "Basic x" }
  expect(readRemoteOptions({ url, apiKey: "fsk_", headers: ours }).headers).toEqual(ours)
})

test.each([
  [
    "a moment more than a day",
    { pollInterval: 86_400_001, staleAfter: 1 },
    "pollInterval must be milliseconds",
  ],
  [
    "a stale time of more than a day",
    { staleAfter: 86_400_001 },
    "more than 0 and at most 86400000: 86400001",
  ],
  ["a secure address of files", { url: "xhttps://flags.example" }, "begins with http: or https:"],
  ["no address", { url: "flags.example" }, "url"],
  ["a database's", { url: "redis://ann:pass@flags.example" }, "url"],
  ["a user in the address", { url: "https://ann@flags.example" }, "headers"],
  ["only a password in the address", { url: "https://:pass@flags.example" }, "headers"],
  ["an interval of nothing", { pollInterval: 0 }, "pollInterval"],
  ["a key of two lines", { apiKey: "fsk_secret\nfsk_secret" }, "apiKey"],
  ["an invalid header", { headers: { "x-team": "secret €" } }, "headers"],
  ["a limit of nothing", { documentLimit: 0 }, "documentLimit must be bytes, more than 0: 0"],
  ["no number", { staleAfter: Number.NaN }, "staleAfter"],
])("names the option that is no good: %s", (_, options, named) => {
  const read = () => readRemoteOptions({ url: "http://proxy.example", ...options })
  expect(read).toThrow(named)
  expect(read).not.toThrow(/secret|pass@/)
})
