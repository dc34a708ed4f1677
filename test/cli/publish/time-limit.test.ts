// @module-tag system
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { limitTime } from "../../../cli/publish/time-limit.ts"
import { createProjectRepository } from "../../repository.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"

const file = { path: "a", bytes: Buffer.from("a"), contentType: "", cacheControl: "" }

test("what hangs is given up at the limit; what comes after it may still put things right", async () => {
  const memory = createMemoryTarget()
  const target = limitTime({ ...memory, read: () => new Promise<undefined>(() => undefined) }, 20)
  await expect(Promise.all([target.read("a"), target.read("b")])).rejects.toThrow(
    "it takes longer than the 0.02 s that --time-limit gives it",
  )
  expect(await target.write(file)).toBe("written")
  await target.close()
})

test("where nothing hangs at that moment, the next operation is given up, and only that one", async () => {
  const memory = createMemoryTarget()
  const target = limitTime(memory, 1)
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, 2)
  await promise
  await expect(target.write(file)).rejects.toThrow("--time-limit")
  expect(await target.write(file)).toBe("written")
  await target.close()
})

test("a server that drips is given up, and the process can end", async () => {
  const server = createServer((_, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write(" "), 20)
    response.on("close", () => clearInterval(drip))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const closed = new Promise((done) => server.on("connection", (socket) => socket.once("close", done)))
  const repository = createProjectRepository()
  repository.commitFlags({ a: true })
  await repository.flagstone(["build"])
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outcome = await repository.flagstone(["publish", url, "--time-limit", "300ms"])
  expect(outcome).toMatchObject({ status: 2, err: expect.stringContaining("--time-limit") })
  await closed // by the client: nothing keeps it from ending
  await new Promise((done) => server.close(done))
})
