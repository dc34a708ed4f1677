// @module-tag system
import { expect, test } from "vitest"
import { createKeySource, mintKey } from "../fixtures.ts"
import { exchange, open } from "../raw-http.ts"
import { startTestProxy } from "../start-proxy.ts"

// A secret in the proxy's output is found at the end of the run, as in every test: test/secrets.
test("secrets appear in no log line and no metric, wherever a client puts them", async () => {
  const { secret, record } = mintKey({ rateLimit: { capacity: 100_000, refillPerSecond: 1000 } })
  const { proxy, lines, admin } = await startTestProxy({
    keys: createKeySource([record]),
    logsRequests: true,
    adminPort: 0,
  })
  const stranger = mintKey().secret
  for (const key of [secret, stranger]) {
    for (const path of [
      `/v1/flags/${key}`,
      `/${key}`,
      `/v1/flags?key=${key}`,
      `/v1/flags/%66${key.slice(1)}`,
    ]) {
      for (const authorization of [`Bearer ${key}`, key, `Basic ${key}`, `Bearer ${key} ${key}`])
        await fetch(proxy.url + path, { headers: { authorization, "user-agent": key, origin: key } })
      await exchange(proxy.port, `${key} ${path} HTTP/1.1\r\nHost: ${key}\r\n\r\n`)
    }
  }
  const connection = await open(proxy.port)
  connection.leave(`GET /${secret} HTTP/1.1\r\nAuthorization: Bearer ${secret}`)
  await connection.closed
  expect((await admin("/metrics")).text).toMatch(/flagstone_auth_failures_total\{reason="unknown"\} \d/)
  expect((await admin("/health")).status).toBe(200)
  expect(lines.filter(({ msg }) => msg === "request").length).toBeGreaterThan(30)
})
