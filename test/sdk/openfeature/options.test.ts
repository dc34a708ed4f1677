import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { readRemoteOptions } from "../../../sdk/openfeature/options.ts"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"

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
  const given = {
    pollInterval: 100,
    staleAfter: 86_400_000,
    documentLimit: 1,
    cacheFile: "last.json",
    headers,
  }
  const url = "http://proxy.example/?token=1"
  expect(readRemoteOptions({ url, ...given })).toMatchObject({
    ...given,
    shown: "http://proxy.example/v1/flags",
  })
  expect(readRemoteOptions({ url, pollInterval: 1000 }).staleAfter).toBe(3000)
  expect(readRemoteOptions({ url, pollInterval: 86_400_000 }).staleAfter).toBe(259_200_000)
  const ours = { Authorization: "Basic x", "User-Agent": "shop/1" }
  // Code without types may have the pairs that OpenFeature's web provider takes, or what `fetch` takes.
  for (const headers of [ours, Object.entries(ours) as never, new Headers(ours) as never])
    expect(readRemoteOptions({ url, apiKey: "fsk_", headers }).headers).toEqual({
      authorization: "Basic x",
      "user-agent": "shop/1",
    })
})

test.each([
  ["js", "sdk/openfeature/options.ts"],
  ["python", "sdk/python/src/flagstone/__init__.py"],
  ["go", "sdk/go/provider/source.go"],
  ["java", "sdk/java/flagstone-openfeature/src/main/java/flagstone/openfeature/FlagstoneProvider.java"],
])("requests name the SDK for %s and its version, which %s has", (language, file) => {
  const root = resolve(import.meta.dirname, "../../..")
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const named = language === "python" ? `__version__ = "${version}"` : `"flagstone-${language}/${version}"`
  expect(readFileSync(join(root, file), "utf8")).toContain(named)
})

test.each<[string, unknown, string]>([
  ["nothing", undefined, "give url, file or document"],
  ["no source", {}, "give url, file or document"],
  ["a document that is undefined", { document: undefined }, "give url, file or document"],
  ["an address that is undefined", { url: undefined }, "url must begin with"],
  ["two sources", { url: "http://proxy.example", file: "a.json" }, "give file alone"],
  [
    "a file that is undefined beside an address",
    { url: "http://proxy.example", file: undefined },
    "file alone",
  ],
  ["a misspelt option", { url: "http://proxy.example", pollIntervall: 1 }, "pollIntervall is no option"],
])("refuses %s", (_, options, message) => {
  expect(() => new FlagstoneProvider(options as never)).toThrow(message)
})

test.each([
  [
    "a moment more than a day",
    { pollInterval: 86_400_001, staleAfter: 100 },
    "pollInterval must be milliseconds",
  ],
  [
    "a stale time of more than a day",
    { staleAfter: 86_400_001 },
    "staleAfter must be milliseconds, from 100 to 86400000, such as 90_000: 86400001",
  ],
  ["a stale time in seconds", { staleAfter: 90 }, "staleAfter must be milliseconds"],
  ["a secure address of files", { url: "xhttps://flags.example" }, "begin with http: or https:"],
  ["no address", { url: "flags.example" }, "url"],
  ["a database's", { url: "redis://ann:pass@flags.example" }, "url"],
  ["a user in the address", { url: "https://ann@flags.example" }, "headers"],
  ["only a password in the address", { url: "https://:pass@flags.example" }, "headers"],
  ["an interval of nothing", { pollInterval: 0 }, "pollInterval"],
  [
    "an interval in seconds",
    { pollInterval: 30 },
    "pollInterval must be milliseconds, from 100 to 86400000, such as 30_000: 30",
  ],
  ["a key of two lines", { apiKey: "fsk_secret\nfsk_secret" }, "apiKey"],
  ["an invalid header", { headers: { "x-team": "secret €" } }, "headers"],
  ["a limit of nothing", { documentLimit: 0 }, "documentLimit must be bytes, more than 0: 0"],
  ["an empty key, of a variable that is not set", { apiKey: "" }, "apiKey must not be empty"],
  ["no number", { staleAfter: Number.NaN }, "staleAfter"],
])("names the option that is no good: %s", (_, options, named) => {
  const read = () => readRemoteOptions({ url: "http://proxy.example", ...options })
  expect(read).toThrow(named)
  expect(read).not.toThrow(/secret|pass@/)
})
