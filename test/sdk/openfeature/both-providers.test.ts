// @module-tag system
import { OFREPProvider } from "@openfeature/ofrep-provider"
import { type Client, type JsonValue, OpenFeature, type Provider } from "@openfeature/server-sdk"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import { buildFiles, createKeySource, createMapSource, mintKey } from "../../proxy/fixtures.ts"
import { evaluatedFlags, flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"
import { createTestProxy } from "./evaluating-proxy.ts"

// What OpenFeature's own suite, in evaluation-v2.test.ts, does not test: shares, unknown operators, missing attributes, slashes
// in keys, waiting. One application reads the same flags in process and over OFREP, through the SDK.

const flags = [...evaluatedFlags].sort((one, other) => (one.flag.key < other.flag.key ? -1 : 1))

const both = flagOf("both", "string", "neither", [
  rule("notExists", "plan", "", "no plan"),
  { ...rule("notEquals", "plan", "pro", "not pro"), id: "b" },
  { ...rule("notEquals", "country", "de", "pro elsewhere"), id: "c" },
  { ...rule("before", "since", "2026-01-01T00:00:00Z", "pro here for long"), id: "d" },
])

const served = [both, ...flags]
const files = buildFiles({ production: served })
const { proxy, secret } = await createTestProxy({ snapshots: [createMapSource(files)] })
afterAll(() => OpenFeature.close())

type Create = (apiKey: string, baseUrl?: string) => Provider

const providers: readonly (readonly [string, Create])[] = [
  ["FlagstoneProvider", (apiKey, url = proxy.url) => new FlagstoneProvider({ url, apiKey })],
  [
    "OFREPProvider",
    (apiKey, baseUrl = proxy.url) =>
      new OFREPProvider({ baseUrl, headers: [["Authorization", `Bearer ${apiKey}`]] }),
  ],
]

async function ask(client: Client, key: string, fallback: JsonValue, context = {}) {
  if (typeof fallback === "boolean") return client.getBooleanDetails(key, fallback, context)
  if (typeof fallback === "string") return client.getStringDetails(key, fallback, context)
  if (typeof fallback === "number") return client.getNumberDetails(key, fallback, context)
  return client.getObjectDetails(key, fallback, context)
}

const pro = { targetingKey: "ann", plan: "pro", email: "ann@example.com", nothing: null }
const since = new Date("2025-05-01T10:00:00Z")

describe.each(providers)("%s", (name, create) => {
  const client = OpenFeature.getClient(name)

  beforeAll(async () => {
    await OpenFeature.setProviderAndWait(name, create(secret))
    expect(client.providerStatus).toBe("READY")
  })

  test.each<[string, JsonValue, object, object]>([
    ["share", false, { targetingKey: "ann" }, { value: true, reason: "SPLIT" }],
    ["share", true, {}, { value: false, reason: "DEFAULT" }],
    ["both", "", { nothing: null }, { value: "no plan" }],
    ["both", "", { plan: null }, { value: "no plan" }],
    ["both", "", { plan: "free", country: "de" }, { value: "not pro" }],
    ["both", "", { plan: "pro", country: "fr" }, { value: "pro elsewhere" }],
    ["both", "", { plan: "pro", country: "de", since }, { value: "pro here for long" }],
    ["both", "", { plan: "pro", country: "de" }, { value: "neither" }],
    ["team/checkout", false, pro, { value: true }],
    ["unknown-operator", true, pro, { value: true, reason: "ERROR", errorCode: "GENERAL" }],
  ])("%s, or %j, for %j", async (key, fallback, context, expected) => {
    expect(await ask(client, key, fallback, context)).toMatchObject(expected)
  })

  test("gives the caller's value without a key, and if nothing can be reached", async () => {
    for (const provider of [create(mintKey().secret), create(secret, "http://127.0.0.1:1")]) {
      const domain = `${name} without`
      await OpenFeature.setProviderAndWait(domain, provider).catch(() => undefined)
      const details = await OpenFeature.getClient(domain).getBooleanDetails("static", false)
      expect(details).toMatchObject({ value: false, reason: "ERROR" })
      expect(details.errorCode).toBeDefined()
    }
  })
})

test("OFREPProvider stops asking while it is told to wait", async () => {
  const narrow = mintKey({ id: "narrow", rateLimit: { capacity: 1, refillPerSecond: 0.001 } })
  const { proxy, lines } = await createTestProxy({
    keys: createKeySource([narrow.record]),
    logsRequests: true,
  })
  const headers: [string, string][] = [["Authorization", `Bearer ${narrow.secret}`]]
  await OpenFeature.setProviderAndWait("narrow", new OFREPProvider({ baseUrl: proxy.url, headers }))
  const client = OpenFeature.getClient("narrow")
  for (let round = 0; round < 4; round++) await client.getBooleanValue("static", false)
  expect(lines.filter(({ msg }) => msg === "request").map(({ status }) => status)).toEqual([200, 429])
})
