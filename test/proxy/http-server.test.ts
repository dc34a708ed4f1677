import type { Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { createHttpServer } from "../../proxy/http-server.ts"
import { createTestApp } from "./fixtures.ts"

async function create(maxConnections?: number): Promise<Server> {
  const app = await createTestApp()
  return createHttpServer(app, {
    isDraining: () => false,
    onFailure: (error) => app.failures.push(error),
    monotonicNow: () => 0,
    addressOf: (peer) => peer,
    maxConnections,
  })
}

test("has the limits of docs/operating.md unless it is told others, in milliseconds", async () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections } = await create()
  expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout, maxConnections }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    timeout: 60_000,
    keepAliveTimeout: 75_000,
    maxConnections: 10_000,
  })
})

test("closes a connection too many, and takes one again where another ended", async () => {
  const server = await create(2)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  /** Whether a new connection is answered. */
  const ask = () =>
    new Promise<boolean>((done) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"))
      socket.once("data", () => done(true))
      socket.once("error", () => done(false)).once("close", () => done(false))
      sockets.push(socket)
    })
  expect([await ask(), await ask(), await ask()]).toEqual([true, true, false])
  const freed = new Promise<void>((done) => {
    const check = () => void server.getConnections((_, count) => (count < 2 ? done() : setImmediate(check)))
    check()
  })
  sockets[0]?.destroy()
  await freed
  expect(await ask()).toBe(true)
})
