// @module-tag system
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { Agent, createServer, request } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, test } from "vitest"
import { createDrain } from "../../../proxy/http/drain.ts"
import { makeServedFolder, spawnProxy } from "../start-proxy.ts"

interface Answer {
  readonly status: number
  readonly closes: boolean
}

function ask(agent: Agent, port: number, path: string, secret: string): Promise<Answer> {
  return new Promise((done, failed) => {
    const asked = request(
      { agent, port, host: "127.0.0.1", path, headers: { authorization: `Bearer ${secret}` } },
      (answer) => {
        answer.resume()
        answer.once("error", failed)
        answer.once("end", () =>
          done({ status: answer.statusCode ?? 0, closes: answer.headers.connection === "close" }),
        )
      },
    )
    asked.once("error", failed)
    asked.end()
  })
}

test("under keep-alive load a SIGTERM fails no request: real process, real sockets, reloads on the way", async () => {
  const { folder, keyFile, secret } = makeServedFolder()
  const args = ["--drain-delay", "500ms", "--access-log"]
  const { child, started, exit, said } = spawnProxy(folder, keyFile, args)
  const port = Number(new URL(await started()).port)

  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const answers: Answer[] = []
  let isInRotation = true
  const client = async (): Promise<void> => {
    while (isInRotation) answers.push(await ask(agent, port, "/v1/flags", secret))
  }
  /** What a load balancer does: it asks whether the proxy is ready, and sends it nothing new if it is not. */
  const balancer = async (): Promise<void> => {
    while (isInRotation) isInRotation = (await ask(agent, port, "/readyz", secret)).status === 200
  }
  const clients = Promise.all([balancer(), ...Array.from({ length: 30 }, client)])
  while (answers.length < 500) {
    child.kill("SIGHUP")
    await ask(agent, port, "/livez", secret)
  }
  child.kill("SIGTERM")
  await clients // rejects with the first request that fails
  expect(await exit).toEqual([0, null])
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(answers.some(({ closes }) => closes)).toBe(true)
  await said("proxy stopped")
})

test("a second call also closes connections that come while the server still listens", async () => {
  const server = createServer(() => {}) // never answers
  const { stop } = createDrain(server)
  await once(server.listen(0, "127.0.0.1"), "listening")
  const stopped = stop(3_600_000, 3_600_000)
  await new Promise(setImmediate) // the next one comes after connections are accepted
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {})
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
  await Promise.all([stopped, stop(0, 0), new Promise((done) => client.once("close", done))])
})

test("no pending wait keeps the process from ending", () => {
  const drain = pathToFileURL(resolve(import.meta.dirname, "../../../proxy/http/drain.ts"))
  const script = `
    const { createServer } = await import("node:http")
    const { createDrain } = await import(${JSON.stringify(drain)})
    const server = createServer()
    const drain = createDrain(server)
    await new Promise((done) => server.listen(0, "127.0.0.1", done))
    await drain.stop(0, 600_000)`
  const run = { encoding: "utf8", timeout: 20_000 } as const
  const { status, signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], run)
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" })
})
