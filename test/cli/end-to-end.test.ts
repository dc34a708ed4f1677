// @module-tag system
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { root, runProcess, startProcess } from "./processes.ts"

// The real command line, real processes, real sockets.
const cli = join(root, "cli/flagstone.js")
const flags = join(root, "flags")

const flagstone = (cwd: string, ...args: readonly string[]) => runProcess(cwd, args)
const start = (cwd: string, ...args: readonly string[]) => startProcess(cwd, args)

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

  test("serve evaluates flags if asked to, with keys that may, at the given rate", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    flagstone(cwd, "build", "--flags", flags)
    const keys = ["read", "evaluate"].map((use) =>
      flagstone(cwd, "keys", "create", "production", "--for", use).stdout.trim(),
    )
    const evaluate = async (url: string, secret = "") => {
      const headers = { authorization: `Bearer ${secret}` }
      const body = '{"context":{"postcode":"10115","appVersion":"4.13.0"}}'
      const target = `${url}/ofrep/v1/evaluate/flags/delivery-slots`
      const response = await fetch(target, { method: "POST", headers, body })
      const { value, error } = await response.json()
      return { status: response.status, value, error }
    }
    const off = start(cwd, "serve", "--port", "0")
    const { url } = JSON.parse(await off.line(/"url"/))
    expect(await evaluate(url, keys[1])).toEqual({ status: 501, error: "Not implemented" })

    const on = start(cwd, "serve", "--port", "0", "--ofrep", "--evaluate-rate-limit", "1/0.001")
    const { url: evaluating } = JSON.parse(await on.line(/"url"/))
    expect(await evaluate(evaluating, keys[0])).toEqual({ status: 403, error: "Forbidden" })
    expect(await evaluate(evaluating, keys[1])).toEqual({ status: 200, value: true })
    expect(await evaluate(evaluating, keys[1])).toEqual({ status: 429, error: "Too many requests" })
    expect((await list(evaluating, keys[0] ?? "")).status).toBe(200)
    expect((await list(evaluating, keys[1] ?? "")).status).toBe(403)
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

  test("a reader that disconnects changes nothing", () => {
    const lint = `"${process.execPath}" "${cli}" lint --flags "${join(root, "test/golden/bad-operand/flags")}"`
    const { stdout, stderr } = spawnSync("bash", ["-c", `${lint} | true; echo \${PIPESTATUS[0]}`], {
      encoding: "utf8",
    })
    expect(stdout).toBe("1\n")
    expect(stderr).toMatch(/^\d flags checked: \d+ errors\n$/)
  })

  test("output that cannot be written ends with 2 and one line, and no key is recorded whose secret is lost", () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    for (const command of [`lint --flags '${flags}' --format json`, `keys create production --force`]) {
      const line = `'${process.execPath}' '${cli}' ${command} > /dev/full`
      const { status, stderr } = spawnSync("bash", ["-c", line], { cwd, encoding: "utf8" })
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining("flagstone: the output cannot be written: ENOSPC"),
      ])
      expect(stderr).not.toContain("    at ")
    }
    expect(readdirSync(cwd)).toEqual([])
  })

  test("a folder as the key file, and a port that is taken", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
    flagstone(cwd, "build", "--flags", flags)
    expect(flagstone(cwd, "serve", "--port", "0", "--keys", ".").status).toBe(2)
    flagstone(cwd, "keys", "create", "production")
    const first = start(cwd, "serve", "--port", "0")
    const { url } = JSON.parse(await first.line(/"url"/))
    const second = flagstone(cwd, "serve", "--port", new URL(url).port)
    expect(second.status).toBe(2)
    expect(second.stderr).toContain("choose a different --port")
  })
})
