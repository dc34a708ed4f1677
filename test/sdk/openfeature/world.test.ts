// @module-tag system
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { machine } from "../../../sdk/openfeature/world.ts"

test.each([204, 205, 304, 600, 999])("a stream that is answered %i is only refused", async (status) => {
  const server = createServer((_, response) => {
    response.writeHead(status).end()
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await once(server, "listening")
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const init = { headers: {}, redirect: "manual", signal: AbortSignal.timeout(2_000) } as const
  await expect(machine.openStream(address, init)).rejects.toThrow(/status/)
})
