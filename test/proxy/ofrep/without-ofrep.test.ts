// @module-tag system
import { expect, test } from "vitest"
import { startTestProxy } from "../start-proxy.ts"
import { clients } from "./clients.ts"
import { read } from "./evaluated-flags.ts"

test("without --ofrep, no client takes the answer for a missing flag, and the log says once what is missing", async () => {
  const origin = "https://shop.example"
  const { proxy, secret, lines } = await startTestProxy({ corsOrigins: [origin] })
  for (const { name, target, headers: own, emptyBody, complaints } of clients) {
    const { upgrade: _, connection: __, "http2-settings": ___, ...headers } = own // which fetch does not send
    const answer = await read(
      await fetch(proxy.url + target(false, "dark/mode"), {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${secret}`, origin },
        ...(emptyBody !== undefined && { body: emptyBody }),
      }),
    )
    expect(answer.status, name).toBe(501)
    expect(complaints(answer), name).toEqual([])
    expect(answer.body).toMatchObject({
      errorCode: "GENERAL",
      errorDetails: "This proxy was started without --ofrep, so it does not evaluate flags.",
    })
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
  }
  const logged = lines.filter(({ msg }) => String(msg).includes("--ofrep"))
  expect(logged).toMatchObject([{ level: 40, route: expect.stringContaining("/ofrep/v1/evaluate/flags") }])
  const preflight = await fetch(`${proxy.url}/ofrep/v1/evaluate/flags`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST" },
  })
  expect(preflight.status).toBe(204)
  expect((await fetch(`${proxy.url}/ofrep/v1/other`)).status).toBe(404)
})
