import { type JsonValue, OpenFeature } from "@openfeature/server-sdk"
import { afterAll, describe, expect, test } from "vitest"
import { type DocumentOptions, FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import { buildFiles } from "../../proxy/fixtures.ts"
import { createEvaluateApp, evaluatedFlags, flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"
import { createFlagged } from "./flagged.ts"
import { answer, never, unreachable } from "./test-world.ts"

afterAll(() => OpenFeature.close())

const pro = { targetingKey: "ann", plan: "pro", email: "ann@example.com" }

describe("resolves", () => {
  test.each([
    ["a missing flag", "missing", true, {}, { value: true, reason: "ERROR", errorCode: "FLAG_NOT_FOUND" }],
    ["a text as a number", "theme", 7, {}, { value: 7, reason: "ERROR", errorCode: "TYPE_MISMATCH" }],
    ["a boolean as a text", "static", "no", {}, { value: "no", errorCode: "TYPE_MISMATCH" }],
    ["a number as an object", "count", {}, {}, { value: {}, errorCode: "TYPE_MISMATCH" }],
    ["null as an object", "nothing", { a: 1 }, {}, { value: { a: 1 }, errorCode: "TYPE_MISMATCH" }],
    ["a list as an object", "list", [], {}, { value: [1, 2] }],
  ])("%s", async (_, key, fallback, context, expected) => {
    const nothing = flagOf("nothing", "json", null)
    const { client, start } = await createFlagged(
      {},
      { flags: [...evaluatedFlags, nothing, flagOf("list", "json", [1, 2])].sort(byKey) },
    )
    await start()
    const details =
      typeof fallback === "boolean"
        ? await client.getBooleanDetails(key, fallback, context)
        : typeof fallback === "string"
          ? await client.getStringDetails(key, fallback, context)
          : typeof fallback === "number"
            ? await client.getNumberDetails(key, fallback, context)
            : await client.getObjectDetails(key, fallback as JsonValue, context)
    expect(details).toMatchObject(expected)
  })

  test.each([{}, pro])("what OFREP answers, in its words: %j", async (context) => {
    const app = await createEvaluateApp()
    const { provider, start } = await createFlagged()
    await start()
    for (const { flag } of evaluatedFlags) {
      const { body } = await app.evaluate(flag.key, context)
      const logger = { error() {}, warn() {}, info() {}, debug() {} }
      const resolve = {
        boolean: () => provider.resolveBooleanEvaluation(flag.key, false, context, logger),
        string: () => provider.resolveStringEvaluation(flag.key, "", context, logger),
        number: () => provider.resolveNumberEvaluation(flag.key, 0, context, logger),
        json: () => provider.resolveObjectEvaluation(flag.key, {}, context, logger),
      }[flag.type]
      const { value, reason, variant, errorCode, errorMessage } = await resolve()
      const said =
        errorCode === undefined ? { value, reason, variant } : { errorCode, errorDetails: errorMessage }
      expect(body).toMatchObject(said)
    }
  })
})

test("values are frozen to their ends: callers share them", async () => {
  const grid = flagOf("grid", "json", { columns: { wide: [1, 2] } }, [
    rule("equals", "plan", "pro", { columns: { wide: [3] } }),
  ])
  const { client, start } = await createFlagged({}, { flags: [grid] })
  await start()
  for (const context of [{}, pro]) {
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    const value: any = await client.getObjectValue("grid", {}, context)
    expect(() => value.columns.wide.push(4)).toThrow(TypeError)
    expect(() => Object.assign(value.columns, { narrow: [] })).toThrow(TypeError)
  }
})

test("metadata names the document for telemetry, as OFREP does: one frozen object until the next", async () => {
  const { client, provider, start, world, publish } = await createFlagged({ events: false })
  await start()
  const metadataOf = async (key: string) => (await client.getBooleanDetails(key, false)).flagMetadata
  const first = await metadataOf("static")
  const app = await createEvaluateApp()
  expect(first).toEqual((await app.evaluate("static", {})).body.metadata)
  expect(first).toMatchObject({ flagSetId: "shop/production" })
  expect(await metadataOf("disabled")).toBe(first)
  expect(Object.isFrozen(first)).toBe(true)
  await publish(evaluatedFlags.slice(1))
  await world.pass(60_000)
  expect((await metadataOf("static")).version).not.toBe(first.version)
  await provider.onClose()
})

test("is named, and runs on servers", async () => {
  const { provider } = await createFlagged()
  expect([provider.metadata.name, provider.runsOn]).toEqual(["Flagstone", "server"])
})

test("metadata of a document that was given as an object has no version, and of values nothing", async () => {
  const ask = async (document: DocumentOptions["document"]) => {
    await OpenFeature.setProviderAndWait("given", new FlagstoneProvider({ document }))
    return (await OpenFeature.getClient("given").getBooleanDetails("static", false)).flagMetadata
  }
  const production = JSON.parse(buildFiles({ production: evaluatedFlags }).get("production.json") ?? "")
  expect(await ask(production)).toEqual({ flagSetId: "shop/production" })
  expect(await ask({ flags: { static: true } })).toEqual({})
})

test("adds the moment to a context without one, if told to", async () => {
  const banner = flagOf("banner", "boolean", false, [rule("after", "now", "2026-11-30T23:59:59Z", true)])
  const { client, start } = await createFlagged({ clockAttribute: "now" }, { flags: [banner] })
  await start()
  expect(await client.getBooleanValue("banner", false, {})).toBe(true)
  expect(await client.getBooleanValue("banner", false, { now: "2026-11-30T00:00:00Z" })).toBe(false)
  const bare = await createFlagged({}, { flags: [banner] })
  await bare.start()
  expect(await bare.client.getBooleanValue("banner", false, {})).toBe(false)
})

describe("starts", () => {
  test.each([
    ["no proxy", unreachable],
    ["no answer", never],
    ["no snapshot yet", answer(503)],
    ["a page of something else", async () => new Response("<html>")],
    ["an unrequested 304", answer(304)],
  ])("without flags, and is ready as soon as there are some: %s", async (_, respond) => {
    const { start, status, events, world, proxy, client } = await createFlagged()
    world.respond = respond
    const started = start()
    await world.pass(10_000) // the longest that it waits for an answer
    await started
    expect([status(), ...events]).toEqual(["ERROR", "ERROR"])
    expect(await client.getBooleanDetails("static", false)).toMatchObject({
      value: false,
      errorCode: "PROVIDER_NOT_READY",
    })
    world.respond = proxy
    await world.pass(60_000)
    expect([status(), ...events]).toEqual(["READY", "ERROR", "READY"])
    expect(await client.getBooleanValue("static", false)).toBe(true)
  })

  test.each([
    ["a key that is not valid", 401],
    ["a key that may only evaluate", 403],
  ])("as fatal with %s, and is ready when it is valid after all", async (_, code) => {
    const { start, status, events, world, proxy } = await createFlagged()
    world.respond = answer(code)
    await start()
    expect([status(), ...events]).toEqual(["FATAL", "ERROR"])
    await world.pass(239_000)
    expect(world.sent.length).toBe(1)
    world.respond = proxy
    await world.pass(61_000)
    expect(status()).toBe("READY")
  })

  test.each([
    ["no proxy", unreachable],
    ["a key that is not valid", answer(401)],
    ["a page of something else", async () => new Response("<html>")],
  ])(
    "and says what is wrong without the query of the address, which may be a signature: %s",
    async (_, respond) => {
      const { provider, world } = await createFlagged({ url: "http://cdn.example/flags.json?sig=secret" })
      world.respond = respond
      const failed = expect(provider.initialize()).rejects
      await failed.toThrow("http://cdn.example/flags.json ")
      expect(world.sent[0]?.url).toContain("sig=secret")
      await provider.onClose()
    },
  )

  test("without flags at growing intervals, up to the usual one", async () => {
    const { start, world } = await createFlagged()
    world.respond = unreachable
    await start()
    await world.pass(91_000)
    expect(world.sent.map(({ at }) => at / 1000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91])
  })
})

describe("continues", () => {
  test("asking conditionally, and says nothing while nothing changes", async () => {
    const { start, events, world } = await createFlagged()
    await start()
    await world.pass(60_000)
    expect(world.sent.map(({ at }) => at)).toEqual([0, 30_000, 60_000])
    const [first, second] = world.sent
    expect(first?.headers.get("if-none-match")).toBe(null)
    expect(second?.headers.get("if-none-match")).toMatch(/^"[0-9a-f]{32}"$/)
    expect(events).toEqual(["READY"])
  })

  test("and names what changes", async () => {
    const { start, events, world, publish, client } = await createFlagged()
    await start()
    const others = evaluatedFlags.filter(({ flag }) => flag.key !== "count" && flag.key !== "theme")
    const theme = flagOf("theme", "string", "rot", [rule("equals", "plan", "pro", "gold")])
    await publish([...others, theme].sort(byKey))
    await world.pass(30_000)
    expect(events).toEqual(["READY", "CONFIGURATION_CHANGED count,theme"])
    expect(await client.getStringValue("theme", "")).toBe("rot")
  })

  test("and accepts new ids and times silently", async () => {
    const { start, events, world, publish, client } = await createFlagged()
    await start()
    await publish(
      evaluatedFlags.map(({ flag, environment }) => ({
        flag: { ...flag, name: "Another", updatedAt: "2026-12-24T00:00:00.000Z" },
        environment: environment && {
          ...environment,
          updatedAt: "2026-12-24T00:00:00.000Z",
          rules: environment.rules.map((rule) => ({ ...rule, id: `new-${rule.id}` })),
        },
      })),
    )
    await world.pass(30_000)
    expect(events).toEqual(["READY"])
    expect((await client.getStringDetails("theme", "", pro)).variant).toBe("new-by-equals")
  })

  test.each([
    ["no proxy", unreachable],
    ["no answer", never],
    ["a broken document", async () => new Response('{"flags":[{}]}')],
    ["500", answer(500)],
    ["404", answer(404)],
  ])("with the last flags, which are stale in time, and ready again: %s", async (_, respond) => {
    const { start, status, events, world, proxy, client } = await createFlagged()
    await start()
    world.respond = respond
    await world.pass(89_000)
    expect(status()).toBe("READY")
    await world.pass(1_000)
    expect([status(), ...events]).toEqual(["STALE", "READY", "STALE"])
    expect(await client.getStringValue("theme", "", pro)).toBe("gold")
    await world.pass(3_600_000)
    expect(events).toEqual(["READY", "STALE"])
    world.respond = proxy
    await world.pass(400_000)
    expect([status(), ...events]).toEqual(["READY", "READY", "STALE", "READY"])
  })

  test("with the last flags, which are stale immediately, if its key is refused", async () => {
    const { start, status, world, client, proxy } = await createFlagged()
    await start()
    world.respond = answer(401)
    await world.pass(30_000)
    expect(status()).toBe("STALE")
    expect(await client.getStringValue("theme", "", pro)).toBe("gold")
    await world.pass(299_000)
    expect(world.sent.length).toBe(2)
    world.respond = proxy
    await world.pass(1_000)
    expect(status()).toBe("READY")
  })

  test("and logs once what becomes of the flags", async () => {
    const { start, status, events, world, proxy, client } = await createFlagged({ events: false })
    const logged: unknown[] = []
    const log = (message: unknown) => logged.push(message)
    client.setLogger({ error: () => {}, warn: log, info: log, debug: () => {} })
    world.respond = answer(500)
    await start()
    const first = await client.getBooleanDetails("static", false)
    const asked = "http://proxy.example/v1/flags returned"
    expect(first.errorMessage).toBe(`there are no flags yet: ${asked} 500`)
    world.respond = answer(401)
    await world.pass(1_000_000)
    expect([status(), ...events]).toEqual(["ERROR", "ERROR", "ERROR"])
    const refused = `${asked} 401: use an apiKey that is valid now`
    const second = await client.getBooleanDetails("static", false)
    expect(second.errorMessage).toBe(`there are no flags yet: ${refused}`)
    world.respond = proxy
    await world.pass(300_000)
    world.respond = answer(302)
    await world.pass(1_000_000)
    expect([status(), ...events]).toEqual(["STALE", "ERROR", "ERROR", "READY", "STALE"])
    expect(logged).toEqual([
      `flagstone: there are no flags: ${asked} 500`,
      `flagstone: there are no flags: ${refused}`,
      "flagstone: the flags are current",
      `flagstone: the flags are stale: ${asked} 302: redirects are not followed; set url to the final URL`,
    ])
  })

  test("at growing intervals, up to five minutes", async () => {
    const { start, world } = await createFlagged()
    await start()
    world.respond = unreachable
    await world.pass(1_080_000)
    expect(world.sent.map(({ at }) => at / 1000)).toEqual([0, 30, 60, 120, 240, 480, 780, 1080])
  })

  test("with the proxy's own rate limit", async () => {
    const { start, world, status } = await createFlagged(
      { pollInterval: 1_000 },
      { key: { rateLimit: { capacity: 1, refillPerSecond: 0.1 } } },
    )
    await start()
    await world.pass(10_900)
    expect(world.sent.map(({ at }) => at)).toEqual([0, 1_000]) // `Retry-After: 10`, and a tenth of it
    expect(status()).toBe("STALE")
  })
})

describe("ends", () => {
  test("everything that waits or is in flight, even twice", async () => {
    const { start, world, provider, events } = await createFlagged()
    await start()
    let aborted = false
    world.respond = (url, init) => {
      init.signal?.addEventListener("abort", () => {
        aborted = true
      })
      return never(url, init)
    }
    const passed = world.pass(30_000)
    while (world.sent.length < 2) await world.breathe()
    await provider.onClose()
    await provider.onClose()
    await passed
    expect(aborted).toBe(true)
    expect(world.waiting).toBe(0)
    expect(events).toEqual(["READY"])
  })

  test("a start, which fails", async () => {
    const { world, provider } = await createFlagged()
    world.respond = never
    const started = expect(provider.initialize()).rejects.toThrow("closed")
    await provider.onClose()
    await started
    expect(world.waiting).toBe(0)
  })
})

function byKey(one: { flag: { key: string } }, other: { flag: { key: string } }): number {
  return one.flag.key < other.flag.key ? -1 : 1
}
