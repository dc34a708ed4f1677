// @module-tag system
// @module-tag slow
import { execFile, spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { deliverySlots, readProgram } from "../../docs/openfeature-programs.ts"
import { buildFiles, createMapSource, flagEntry, shop } from "../../proxy/fixtures.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"

// The SDK for Python, installed as a wheel: its own tests, its tools, and a proxy of this repository.
const source = resolve(import.meta.dirname, "../../../sdk/python")
const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache")
const venv = join(cache, "flagstone", "python-sdk")
const hasPython =
  spawnSync("python3", ["-c", "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"]).status ===
  0
if (!hasPython) console.warn("SKIPPED: the SDK for Python, because there is no python3 from 3.10 on")

/** Runs a program in the SDK's folder; fails with what it said if it fails. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
  const said = await promisify(execFile)(program, args, { cwd: source, env }).catch(
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${program} ${args.join(" ")}:\n${stdout.slice(-10_000)}${stderr.slice(-10_000)}`)
    },
  )
  return said.stdout
}

const bin = (name: string) => join(venv, "bin", name)

describe.skipIf(!hasPython)("the SDK for Python", () => {
  beforeAll(async () => {
    if (!existsSync(bin("pip"))) await run("python3", "-m", "venv", venv)
    await run(bin("pip"), "install", "-q", "pip>=25.1", "hatchling")
    await run(bin("pip"), "install", "-q", "--no-build-isolation", ".[re2]", "--group", "dev")
  }, 240_000)

  test("passes its own tests", async () => {
    expect(await run(bin("pytest"), "-q", "-p", "no:cacheprovider")).toMatch(/^1[5-9]\d\d passed/m)
  }, 240_000)

  test("is formatted, and has nothing that linters find", async () => {
    await run(bin("ruff"), "format", "--check", "--no-cache")
    await run(bin("ruff"), "check", "--no-cache")
    await run(bin("pyright"), "--pythonpath", bin("python"))
  }, 240_000)

  test.each([
    ["docs/openfeature.md", "in-process", "true\n"],
    ["docs/evaluation.md", "evaluator", "Evaluation(value=True, cause='rule', rule='by-startsWith')\n"],
  ])("runs the program of %s", async (page, info, expected) => {
    const { proxy, secret } = await startTestProxy({
      snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
    })
    const program = readProgram("python", info, proxy.url, page)
    const env = { ...process.env, FLAGSTONE_API_KEY: secret }
    const { stdout } = await promisify(execFile)(bin("python"), ["-c", program], { env })
    expect(stdout).toBe(expected)
  })

  test("learns of a change from a proxy without polling", async () => {
    const clock = { now: Date.now, monotonicNow: () => performance.now(), random: Math.random }
    const { proxy, files, secret } = await startTestProxy({ clock })
    const child = spawn(bin("python"), [join(import.meta.dirname, "listen.py"), proxy.url, secret])
    onTestFinished(() => void child.kill())
    child.stderr.pipe(process.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe("READY True 5f1d000")
    for (const [file, text] of buildFiles({ production: [...shop, flagEntry("zebra")] }))
      files.set(file, text)
    await proxy.reload()
    expect((await lines.next()).value).toBe("CHANGED zebra")
    await proxy.stop()
  })
})
