// @module-tag system
// @module-tag slow
// @module-tag long
import { mkdtempSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, expect, type TestContext, test } from "vitest"
import { faketime, movableClock } from "../../servers/faketime.ts"
import { applications } from "./applications.ts"
import {
  type Answer,
  compressedBlanks,
  continues,
  cutOff,
  documentOf,
  type FaultServer,
  garbage,
  good,
  redirect,
  refused,
  startFaultServer,
  truncatedGzip,
} from "./fault-server.ts"
import { pollInterval, type Running, run } from "./running.ts"

// How the providers of all languages follow a server that fails: one table, through real applications and a real server.

/** How long it took from each request to the next, beginning with the given one, in milliseconds. */
function waits({ requests }: FaultServer, from: number): readonly number[] {
  return requests.slice(from + 1).map((at, index) => at - (requests[from + index] ?? 0))
}

const notUtf8 = Buffer.from(documentOf(false))
notUtf8[notUtf8.indexOf("shop")] = 0xff

/** A document with a value that is nested deeper than any flag's. */
const nested = documentOf(false).replace(
  /"defaultValue":\w+/,
  `"defaultValue":${"[".repeat(100_000)}${"]".repeat(100_000)}`,
)

/** Answers that give no flags: the last ones stay, the provider is stale in time and ready again with the first good answer. */
const failures: readonly (readonly [string, Answer])[] = [
  ["503 without Retry-After", refused(503)],
  ["a redirect", redirect],
  ["a page instead of a document", garbage("<!doctype html>")],
  ["JSON that is no document", garbage('{"flags":[{}]}')],
  ["values without rules, which are for tests", garbage('{"flags":{}}')],
  ["a byte that is not UTF-8", garbage(notUtf8)],
  ["a byte order mark", garbage(`\ufeff${documentOf(false)}`)],
  ["lists without end", garbage(`{"flags":${"[".repeat(100_000)}`)],
  ["a value that is nested too deep", garbage(nested)],
  ["half of a compressed document", truncatedGzip],
  ["a connection that ends in the middle", cutOff],
  ["a small answer that is a long document", compressedBlanks],
  ["100 Continue again and again", continues],
]

/** How a server says that a client must wait at least 2 s. */
const delays: readonly (readonly [string, () => string])[] = [
  ["seconds", () => "2"],
  ["a date", () => new Date(Date.now() + 5_000).toUTCString()],
]

if (faketime === undefined) console.warn("SKIPPED: a clock that jumps, because libfaketime is not installed")

for (const { language, build, missing, hasMovableClock } of applications) {
  if (missing !== undefined)
    console.warn(`SKIPPED: following flags in ${language}, because ${missing} is not installed`)

  let command: readonly string[] = []
  beforeAll(() => {
    if (missing === undefined) command = build()
  }, 300_000)

  const started = async (context: TestContext, env = {}) => {
    const server = await startFaultServer()
    context.onTestFinished(() => server.goAway())
    const application = run(command, server.url, context, { env })
    expect(await application.event()).toBe("READY")
    expect(await application.value()).toBe("true STATIC")
    return { server, application }
  }

  /** Ends the application; whatever happened, it asked no more often than it should. */
  const finish = async ({ requests }: FaultServer, { close, unread }: Running) => {
    expect(unread).toEqual([])
    expect(await close()).toBe(0)
    const [first = 0, last = 0] = [requests[0], requests.at(-1)]
    expect(requests.length).toBeLessThanOrEqual((last - first) / (0.8 * pollInterval) + 2)
  }

  test.skipIf(missing !== undefined).concurrent(`${language}: a change, once`, async (context) => {
    const { server, application } = await started(context)
    await server.asked(2)
    server.answer(good(false))
    expect(await application.event()).toBe("CHANGED switch")
    expect(await application.value()).toBe("false STATIC")
    await server.asked(2)
    await finish(server, application)
  })

  test.skipIf(missing !== undefined).concurrent.for(failures)(
    `${language}: %s`,
    async ([, failure], context) => {
      const { server, application } = await started(context)
      server.answer(failure)
      expect(await application.event()).toBe("STALE")
      expect(await application.value()).toBe("true STATIC")
      server.answer(good(true))
      expect(await application.event()).toBe("READY")
      await finish(server, application)
    },
  )

  test
    .skipIf(missing !== undefined)
    .concurrent(`${language}: a server that ends and comes back with another document`, async (context) => {
      const { server, application } = await started(context)
      await server.goAway()
      expect(await application.event()).toBe("STALE")
      expect(await application.value()).toBe("true STATIC")
      server.answer(good(false))
      await server.comeBack()
      const events = [await application.event(), await application.event()]
      expect(events.sort()).toEqual(["CHANGED switch", "READY"])
      expect(await application.value()).toBe("false STATIC")
      await finish(server, application)
    })

  test.skipIf(missing !== undefined).concurrent.for([401, 403])(
    `${language}: a key that is refused from the start, with %i`,
    async (status, context) => {
      const server = await startFaultServer()
      context.onTestFinished(() => server.goAway())
      server.answer(refused(status))
      const application = run(command, server.url, context)
      expect(await application.event()).toBe("ERROR")
      expect(await application.value()).toMatch(/^false PROVIDER_(FATAL|NOT_READY)$/)
      await finish(server, application)
      expect(server.requests.length).toBe(1)
    },
  )

  test
    .skipIf(missing !== undefined)
    .concurrent(`${language}: a server that is not there at the start, and comes`, async (context) => {
      const server = await startFaultServer()
      context.onTestFinished(() => server.goAway())
      await server.goAway()
      const application = run(command, server.url, context)
      expect(await application.event()).toBe("ERROR")
      expect(await application.value()).toBe("false PROVIDER_NOT_READY")
      await server.comeBack()
      expect(await application.event()).toBe("READY")
      expect(await application.value()).toBe("true STATIC")
      await finish(server, application)
    })

  test
    .skipIf(missing !== undefined)
    .concurrent(
      `${language}: saved flags while a server is silent, which are stale until it answers`,
      async (context) => {
        const server = await startFaultServer()
        context.onTestFinished(() => server.goAway())
        const held: ServerResponse[] = []
        server.answer((_, response) => void held.push(response))
        const cacheFile = join(mkdtempSync(join(tmpdir(), "flagstone-following-")), "flags.json")
        writeFileSync(cacheFile, documentOf(true))
        const application = run(command, server.url, context, { cacheFile })
        expect(await application.event()).toBe("READY")
        expect(performance.now() - (server.requests[0] ?? 0)).toBeLessThan(5_000)
        expect(await application.event()).toBe("STALE")
        expect(await application.value()).toBe("true STATIC")
        expect(held.length).toBe(1)
        for (const response of held) response.writeHead(200).end(documentOf(false))
        const events = [await application.event(), await application.event()]
        expect(events.sort()).toEqual(["CHANGED switch", "READY"])
        expect(await application.value()).toBe("false STATIC")
        server.answer(good(false))
        await finish(server, application)
      },
    )

  const cannotJump = missing !== undefined || !hasMovableClock || faketime === undefined
  test.skipIf(cannotJump).concurrent.for([86_400, -86_400])(
    `${language}: a clock that jumps by %i s changes nothing`,
    async (seconds, context) => {
      const { env, move } = movableClock()
      const { server, application } = await started(context, env)
      move(seconds)
      await server.asked(3)
      server.answer(good(false))
      expect(await application.event()).toBe("CHANGED switch")
      await finish(server, application)
    },
  )

  test
    .skipIf(missing !== undefined)
    .concurrent(
      `${language}: a revoked key makes the flags stale at once, and they stay`,
      async (context) => {
        const { server, application } = await started(context)
        server.answer(refused(401))
        expect(await application.event()).toBe("STALE")
        expect(await application.value()).toBe("true STATIC")
        await finish(server, application)
      },
    )

  test.skipIf(missing !== undefined).concurrent.for(delays)(
    `${language}: waits as 429 says, in %s`,
    async ([, retryAfter], context) => {
      const { server, application } = await started(context)
      const before = server.requests.length
      server.answer(refused(429, { "retry-after": retryAfter() }))
      await server.asked(2)
      expect(waits(server, before)[0]).toBeGreaterThanOrEqual(1_900)
      expect(await application.value()).toBe("true STATIC")
      server.answer(good(true))
      await application.close()
    },
  )

  test
    .skipIf(missing !== undefined)
    .concurrent(`${language}: a Retry-After that is long over means nothing`, async (context) => {
      const { server, application } = await started(context)
      server.answer(refused(429, { "retry-after": new Date(0).toUTCString() }))
      await server.asked(1)
      server.answer(good(false))
      expect(await application.event()).toBe("CHANGED switch")
      expect(await application.close()).toBe(0)
    })
}
