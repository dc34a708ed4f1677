import fc from "fast-check"
import { H3Event } from "h3"
import { expect, test } from "vitest"
import { routedTarget } from "../../../proxy/http/target.ts"
import { createTestApp } from "../test-app.ts"

/** Targets that are almost routes, in the forms that Node lets through. */
const target = fc
  .tuple(
    fc.constantFrom("/", "/livez", "/v1/flags", "/v1/flags/static", "/v1/flags//a", "http://x/livez"),
    fc.array(
      fc.constantFrom(
        ...["/", "/", "//", "v1", "flags", "livez", ".", "..", "%2e", "%2E", "%2f", "%25", "%", "%6civez"],
        ...["\\", "%5c", "fl%61gs", "?", "#", "'", '"', "\xe9", " ", "\t", "~", ":", "*"],
      ),
      { maxLength: 6 },
    ),
  )
  .map(([begin, parts]) => begin + parts.join(""))

test.each([
  ["/v1/flags?a=1?b", undefined],
  ["http://x/v1/flags?a=1?b='", { path: "/v1/flags", target: "/v1/flags?a=1?b=%27" }],
  ["/v1/flags/../x?a?b", { path: "/v1/flags/../x", target: "/v1/flags/~?a?b" }],
  ["/x/../livez", { path: "/x/../livez", target: "/~" }],
])("the target %s is routed as %j", (target, routed) => expect(routedTarget(target)).toEqual(routed))

/** Node's parser reads each byte as a character. */
const bytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1"))

test("h3 gets a target in which it changes nothing", () => {
  fc.assert(
    fc.property(fc.oneof(target, bytes), (sent) => {
      const routed = routedTarget(sent)?.target ?? sent
      const { url } = new H3Event(new Request(`http://localhost${routed}`))
      expect(url.host + url.pathname + url.search).toBe(`localhost${routed.replace(/^([^?]*)\?$/, "$1")}`)
    }),
    { numRuns: 2_000 },
  )
})

test("only what is sent as a route's path is that route", async () => {
  const app = await createTestApp()
  await fc.assert(
    fc.asyncProperty(target, async (sent) => {
      app.clock.monotonic += 1_000 // for strangers
      const response = await app.ask(sent, { headers: { authorization: null } })
      const path = /^(?:http:\/\/[^/?]*)?(\/[^?]*)/.exec(sent)?.[1]
      if (path === "/livez") expect(response.status).toBe(200)
      else if (path === "/v1/flags" || path?.startsWith("/v1/flags/")) expect(response.status).toBe(401)
      else expect(response.status).toBe(404)
    }),
    { numRuns: 1_000 },
  )
})
