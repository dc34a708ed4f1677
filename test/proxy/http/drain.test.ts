import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { buildFiles, mintKey, shop } from "../fixtures.ts"

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
  const folder = mkdtempSync(join(tmpdir(), "flagstone-drain-"))
  for (const [file, text] of buildFiles({ production: shop })) writeFileSync(join(folder, file), text)
  const { secret, record } = mintKey({ rateLimit: { capacity: 1e9, refillPerSecond: 1e9 } })
  writeFileSync(
    join(folder, "keys.yaml"),
    `keys:\n  - {id: web, environment: production, digest: "sha256:${record.digest}", createdAt: 2026-11-21T10:00:00.000Z, rateLimit: {capacity: 1000000000, refillPerSecond: 1000000000}}\n`,
  )
  const args = [
    "serve",
    "--snapshots",
    folder,
    "--keys",
    join(folder, "keys.yaml"),
    "--port",
    "0",
    "--drain-delay",
    "500ms",
    "--access-log",
  ]
  const child = spawn(process.execPath, [resolve(import.meta.dirname, "../../../cli/flagstone.js"), ...args])
  let log = ""
  const port = await new Promise<number>((done, failed) => {
    child.once("exit", () => failed(new Error(log)))
    child.stdout.on("data", (chunk) => {
      log += chunk
      const url = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(log)?.[1]
      if (url !== undefined) done(Number(url))
    })
  })
  const exit = new Promise<number | null>((done) => child.once("exit", done))

  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const answers: Answer[] = []
  let isInRotation = true
  const client = async (): Promise<void> => {
    while (isInRotation) answers.push(await ask(agent, port, "/v1/flags", secret))
  }
  /** What a load balancer does: it asks whether the proxy is ready, and sends it nothing new when it is not. */
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
  expect(await exit).toBe(0)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(answers.some(({ closes }) => closes)).toBe(true)
  expect(log).toMatch(/proxy stopped/)
  rmSync(folder, { recursive: true })
})
