// @module-tag slow
import { execFileSync, spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"

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

/** A folder with a published build, and its next build, which `publish` sends there in a separate process. */
async function publishAgain(prepare: (folder: string) => void) {
  const repository = createProjectRepository()
  repository.commitFlags({ a: true })
  await repository.flagstone(["build"])
  const folder = join(repository.folder, "published")
  await repository.flagstone(["publish", folder])
  repository.commitFlags({ b: true })
  await repository.flagstone(["build"])
  prepare(folder)
  const main = resolve(import.meta.dirname, "../../../cli/flagstone.js")
  const args = [main, "publish", folder, "--time-limit", "1s"]
  const { status, signal, stderr } = spawnSync(process.execPath, args, {
    cwd: repository.folder,
    encoding: "utf8",
    timeout: 30_000,
    killSignal: "SIGTERM", // not our own
  })
  return { status, signal, stderr }
}

test("a FIFO instead of a file is read as an empty file", async () => {
  const { status, stderr } = await publishAgain((folder) => {
    rmSync(join(folder, "revisions.json"))
    execFileSync("mkfifo", [join(folder, "revisions.json")])
  })
  expect(stderr).toMatch("revisions.json")
  expect(status).toBe(2)
})

test("a system call that hangs does not keep the process alive", async () => {
  const { signal, stderr } = await publishAgain((folder) =>
    execFileSync("mkfifo", [join(folder, ".publish.lock")]),
  )
  expect(stderr).toMatch("flagstone: this took longer than --time-limit allows (1 s)\n")
  expect(signal).toBe("SIGKILL")
})
