// @module-tag system
// @module-tag slow
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"
import { startS3 } from "../../servers/s3.ts"

// A real store, a real proxy in its own process, real sockets.
const cli = resolve(import.meta.dirname, "../../../cli/flagstone.js")

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A proxy; `line` waits for the next log line that matches. */
function serve(cwd: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", ...args], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  })
  stops.push(() => child.kill("SIGKILL"))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const exited = new Promise<number | null>((done) => child.once("exit", done))
  async function line(pattern: RegExp): Promise<Record<string, string>> {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`the proxy ended before it said ${pattern}`)
      if (pattern.test(value)) return JSON.parse(value)
    }
  }
  return { child, line, exited }
}

test("store, publish, serve, change, kill the store, restart from the cache, roll back", async () => {
  const repository = createProjectRepository()
  const { folder: cwd } = repository
  const directory = mkdtempSync(join(tmpdir(), "flagstone-store-"))
  let s3 = await startS3(["flags"], true, { directory })
  const port = Number(new URL(s3.url).port)
  const signing = await repository.flagstone(["keys", "signing"])
  const [, verifyKey = ""] = /--verify-key (\S+)/.exec(signing.err) ?? []
  const env = { ...s3.env, FLAGSTONE_SIGNING_KEY: signing.out.trim() }
  const secret = (await repository.flagstone(["keys", "create", "staging"])).out.trim()
  const list = async (url = "") => {
    const response = await fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}` } })
    return Buffer.from(await response.arrayBuffer()).toString()
  }
  async function release(flags: Readonly<Record<string, boolean>>) {
    const revision = repository.commitFlags(flags)
    expect((await repository.flagstone(["build"])).status).toBe(0)
    const { status, err } = await repository.flagstone(["publish", "s3://flags/shop"], { env, now: Date.now })
    expect({ status, err }).toMatchObject({ status: 0 })
    return { revision, staging: readFileSync(join(cwd, "dist/staging.json"), "utf8") }
  }
  const proxyArguments = [
    ...["--snapshots", `${s3.url}/flags/shop/`, "--cache-dir", "cache"],
    ...["--verify-key", verifyKey, "--poll-interval", "50ms"],
  ]

  const first = await release({ a: true })
  let proxy = serve(cwd, ...proxyArguments)
  let { url } = await proxy.line(/"url"/)
  expect(await list(url)).toBe(first.staging)

  const second = await release({ a: false, b: true })
  await proxy.line(/snapshots reloaded/)
  expect(await list(url)).toBe(second.staging)

  await s3.stop()
  await proxy.line(/snapshots refused/)
  expect(await list(url)).toBe(second.staging)
  proxy.child.kill("SIGTERM")
  expect(await proxy.exited).toBe(0)
  proxy = serve(cwd, ...proxyArguments)
  await proxy.line(/taken from the cache/)
  url = (await proxy.line(/"url"/)).url
  expect(await list(url)).toBe(second.staging)

  s3 = await startS3(["flags"], true, { directory, port })
  stops.push(() => void s3.stop())
  const back = await repository.flagstone(["publish", "s3://flags/shop", "--rollback", first.revision], {
    env,
    now: Date.now,
  })
  expect(back.status).toBe(0)
  proxy.child.kill("SIGHUP")
  // The first reload may still get what the cache had: the store came back before the rollback.
  do await proxy.line(/snapshots reloaded/)
  while ((await list(url)) === second.staging)
  expect(await list(url)).toBe(first.staging)
  proxy.child.kill("SIGTERM")
  expect(await proxy.exited).toBe(0)
}, 60_000)
