// @module-tag system
import { expect, test } from "vitest"
import { startTestProxy } from "../start-proxy.ts"
import { path, read } from "./evaluated-flags.ts"

test("without --ofrep, no client takes the answer for a missing flag, and the log says once what is missing", async () => {
  const origin = "https://shop.example"
  const { proxy, secret, lines } = await startTestProxy({ corsOrigins: [origin] })
  for (const target of [path, `${path}/dark/mode`, `${path}/dark%2Fmode`, `/${path}`]) {
    const headers = { authorization: `Bearer ${secret}`, origin, "content-type": "application/json" }
    const answer = await read(await fetch(proxy.url + target, { method: "POST", headers, body: "{}" }))
    expect(answer.status, target).toBe(501)
    expect(answer.body).toMatchObject({
      errorCode: "GENERAL",
      errorDetails: "This proxy was started without --ofrep, so it does not evaluate flags.",
    })
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
  }
  const logged = lines.filter(({ msg }) => String(msg).includes("--ofrep"))
  expect(logged).toMatchObject([{ level: 40, route: expect.stringContaining("/ofrep/v1/evaluate/flags") }])
  const preflight = await fetch(proxy.url + path, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST" },
  })
  expect(preflight.status).toBe(204)
  expect((await fetch(`${proxy.url}/ofrep/v1/other`)).status).toBe(404)
})
