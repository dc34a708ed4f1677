import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { afterEach, describe, expect, test } from "vitest"

// The real command line, real processes, real sockets.
const root = resolve(import.meta.dirname, "../..")
const cli = join(root, "cli/flagstone.js")
const flags = join(root, "flags")

function flagstone(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd, encoding: "utf8" })
  return { status, stdout, stderr }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Starts a command that goes on; `line` and `said` wait for the next line of stdout and stderr that matches. */
function start(cwd: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [cli, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] })
  stops.push(() => child.kill("SIGKILL"))
  const exited = new Promise<number | null>((done) => child.once("exit", done))
  return { child, line: lineReader(child.stdout), said: lineReader(child.stderr), exited }
}

function lineReader(stream: Readable): (pattern: RegExp) => Promise<string> {
  const lines = createInterface(stream)[Symbol.asyncIterator]()
  return async (pattern) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`it ended before it printed ${pattern}`)
      if (pattern.test(value)) return value
    }
  }
}

const list = (url: string, secret: string) =>
  fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}` } })

describe("from flags to answers", () => {
  test("build, keys create, serve: the bytes on the wire are the bytes on disk", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    const built = flagstone(cwd, "build", "--flags", flags)
    expect(built.status).toBe(0)
    expect(built.stdout).toMatch(/^dist\/development.json: 13 flags, 13 configured, \d+ bytes$/m)
    const created = flagstone(cwd, "keys", "create", "production", "--id", "web")
    expect(created.stdout).toMatch(/^fsk_[0-9A-Za-z]{49}\n$/)

    const server = start(cwd, "serve", "--port", "0")
    const { url } = JSON.parse(await server.line(/"url"/))
    const response = await list(url, created.stdout.trim())
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(readFileSync(join(cwd, "dist/production.json")))
    expect((await list(url, created.stdout.trim().replace(/.$/, "-"))).status).toBe(401)

    server.child.kill("SIGTERM")
    expect(await server.exited).toBe(0)
  })

  test("dev prints a curl line for each environment, which answers, and follows changes", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    cpSync(flags, join(cwd, "flags"), { recursive: true })
    const server = start(cwd, "dev", "--port", "0")
    for (const environment of ["development", "staging", "production"]) {
      await server.line(new RegExp(`^${environment}:$`))
      const [, secret = "", url = ""] =
        /Bearer (fsk_\w+)" (\S+)\/v1\/flags$/.exec(await server.line(/curl/)) ?? []
      const body = await (await list(url, secret)).text()
      expect(body).toBe(readFileSync(join(cwd, "dist", `${environment}.json`), "utf8"))
      const keys = JSON.parse(body).flags.map((entry: { flag: { key: string } }) => entry.flag.key)
      expect(keys).toHaveLength(13)
      expect(keys).toEqual(keys.toSorted())
    }
    writeFileSync(join(cwd, "flags", "brand-new.yaml"), "defaultValue: true\n")
    expect(await server.line(/14 flags/)).toBe("flags: 14 flags in 3 environments")
    // As when git or an editor replaces files one by one.
    renameSync(join(cwd, "flags/project.yaml"), join(cwd, "project.yaml"))
    writeFileSync(join(cwd, "flags", "another.yaml"), "defaultValue: true\n")
    expect(await server.said(/no project.yaml/)).toBeDefined()
    renameSync(join(cwd, "project.yaml"), join(cwd, "flags/project.yaml"))
    expect(await server.line(/15 flags/)).toBe("flags: 15 flags in 3 environments")
    server.child.kill("SIGINT")
    expect(await server.exited).toBe(0)
  })

  test.each([
    ["missing", undefined],
    ["empty", ""],
    ["without keys", "keys: []\n"],
    ["no YAML", "keys: ["],
  ])("serve with a key file that is %s: status 2 and the fix", (_, text) => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    if (text !== undefined) writeFileSync(join(cwd, "keys.yaml"), text)
    expect(flagstone(cwd, "build", "--flags", flags).status).toBe(0)
    const { status, stdout, stderr } = flagstone(cwd, "serve", "--port", "0")
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toMatch(/^flagstone: .*keys/)
  })

  test("a reader that goes away changes nothing", () => {
    const lint = `"${process.execPath}" "${cli}" lint --flags "${join(root, "test/golden/bad-operand/flags")}"`
    const { stdout, stderr } = spawnSync("bash", ["-c", `${lint} | true; echo \${PIPESTATUS[0]}`], {
      encoding: "utf8",
    })
    expect(stdout).toBe("1\n")
    expect(stderr).toMatch(/^\d flags checked: \d+ errors\n$/)
  })

  test("a folder as key file, and a port that is taken", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    flagstone(cwd, "build", "--flags", flags)
    expect(flagstone(cwd, "serve", "--port", "0", "--keys", ".").status).toBe(2)
    flagstone(cwd, "keys", "create", "production")
    const first = start(cwd, "serve", "--port", "0")
    const { url } = JSON.parse(await first.line(/"url"/))
    const second = flagstone(cwd, "serve", "--port", new URL(url).port)
    expect(second.status).toBe(2)
    expect(second.stderr).toContain("choose another --port")
  })
})
