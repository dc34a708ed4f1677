import { describe, expect, test } from "vitest"
import { askForDocument } from "../../../sdk/openfeature/ask-for-document.ts"
import { wallClock } from "../../proxy/fixtures.ts"
import { answer, createTestWorld, never, type TestWorld, unreachable } from "./test-world.ts"

const shown = "https://flags.example/v1/flags"
const config = {
  ...{ address: `${shown}?signature=secret`, shown, headers: { authorization: "Bearer x" } },
  documentLimit: 10,
}

async function ask(respond: TestWorld["respond"], etag?: string, signal = new AbortController().signal) {
  const requests: (RequestInit & { readonly url: string })[] = []
  const world = createTestWorld(async (url, init) => {
    requests.push({ ...init, url })
    return respond(url, init)
  })
  const asked = askForDocument(config, etag, world, signal)
  await world.pass(9_999)
  const hasWaited = world.waiting === 1
  await world.pass(1)
  return { outcome: await asked, requests, hasWaited, isWaiting: world.waiting > 0 }
}

const failed = (reason: string, more = {}) => ({
  ...{ kind: "failed", reason: `${shown} ${reason}`, isRefused: false, retryAfter: undefined },
  ...more,
})

test("the request has the headers and the tag, and follows no redirect", async () => {
  const { requests } = await ask(answer(304), '"1"')
  const headers = { accept: "application/json", authorization: "Bearer x" }
  expect(requests).toMatchObject([
    { url: config.address, redirect: "manual", headers: { ...headers, "if-none-match": '"1"' } },
  ])
  expect((await ask(answer(200))).requests[0]?.headers).toEqual(headers)
})

describe("an answer", () => {
  const document =
    (headers = {}) =>
    async () =>
      new Response("\ufeff{}", { headers })
  test("is a document, of a CDN or of a proxy", async () => {
    const { outcome, isWaiting } = await ask(document())
    expect(outcome).toEqual({ kind: "document", text: "\ufeff{}", etag: undefined, isProxy: false })
    expect(isWaiting).toBe(false)
    const headers = { etag: '"1"', "x-ratelimit-limit": "100" }
    expect((await ask(document(headers))).outcome).toMatchObject({ etag: '"1"', isProxy: true })
  })

  test("is the same document, only if a tag was sent", async () => {
    expect((await ask(answer(304), '"1"')).outcome).toEqual({ kind: "same", isProxy: false })
    expect((await ask(answer(304, { "x-ratelimit-limit": "1" }), '"1"')).outcome).toMatchObject({
      isProxy: true,
    })
    expect((await ask(answer(304))).outcome).toEqual(
      failed("returned 304: redirects are not followed; set url to the final URL"),
    )
  })

  test("is not a document if it is not UTF-8", async () => {
    const { outcome } = await ask(async () => new Response(Uint8Array.of(0xff)))
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringContaining("did not respond: ") })
  })

  test("is read up to the limit, and not beyond", async () => {
    let given = 0
    let isCancelled = false
    const endless = (most: number) =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (given === most) return controller.close()
          controller.enqueue(Uint8Array.of(0x20))
          given++
        },
        cancel: () => {
          isCancelled = true
        },
      })
    expect((await ask(async () => new Response(endless(10)))).outcome).toMatchObject({ text: " ".repeat(10) })
    given = 0
    const { outcome } = await ask(async () => new Response(endless(Number.POSITIVE_INFINITY)))
    expect(outcome).toEqual(
      failed("returned more than 10 bytes: if its document is that long, set documentLimit"),
    )
    expect([isCancelled, given]).toEqual([true, 12]) // one waits in the stream
  })

  const retry = (text: string) => ({ "retry-after": text })
  const date = (milliseconds: number) => new Date(wallClock + milliseconds).toUTCString()
  test.each<[number, Record<string, string>, ReturnType<typeof failed>]>([
    [401, {}, failed("returned 401: use an apiKey that is valid now", { isRefused: true })],
    [
      403,
      { "content-type": "application/json" },
      failed("returned 403: use an apiKey that may read; this one may only evaluate", { isRefused: true }),
    ],
    [403, { "content-type": "text/html" }, failed("returned 403", { isRefused: true })],
    [404, {}, failed("returned 404: check the url, and that something was published there")],
    [400, {}, failed("returned 400")],
    [429, retry("7"), failed("returned 429", { retryAfter: 7000 })],
    ...["0", "7s", "-1", "1.5"].map((odd): [number, Record<string, string>, ReturnType<typeof failed>] => [
      503,
      retry(odd),
      failed("returned 503"),
    ]),
    [429, retry(date(60_000)), failed("returned 429", { retryAfter: 60_000 })],
    [429, retry(date(-60_000)), failed("returned 429")],
    [500, retry("7"), failed("returned 500")],
  ])("%d with %j is a failure", async (status, headers, expected) => {
    const { outcome } = await ask(answer(status, headers))
    expect(outcome).toEqual(expected)
  })
})

describe("no answer", () => {
  test("comes from an address that cannot be reached", async () => {
    expect((await ask(unreachable)).outcome).toEqual(failed("cannot be reached (ECONNREFUSED)"))
    const broken = () => Promise.reject(new TypeError("terminated"))
    expect((await ask(broken)).outcome).toEqual(failed("did not respond: terminated"))
    const blocked = () => fetch("http://127.0.0.1:6000") // a port to which fetch sends nothing
    expect((await ask(blocked)).outcome).toEqual(failed("did not respond: bad port"))
  })

  test("in ten seconds is a failure", async () => {
    const { outcome, hasWaited, isWaiting } = await ask(never)
    expect(outcome).toEqual(failed("took more than 10 s to respond"))
    expect([hasWaited, isWaiting]).toEqual([true, false])
  })

  test("is awaited once the provider is closed", async () => {
    const closing = new AbortController()
    closing.abort(new Error("closed"))
    const rejects: TestWorld["respond"] = (_, { signal }) => Promise.reject(signal?.reason)
    expect((await ask(rejects, undefined, closing.signal)).outcome).toEqual(failed("did not respond: closed"))
  })
})
