// @module-tag system
// @module-tag slow
import { execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { deliverySlots, readProgram } from "../../docs/openfeature-programs.ts"
import { blocksOf, readPage } from "../../docs/pages.ts"
import { buildFiles, createMapSource, flagEntry, shop } from "../../proxy/fixtures.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"
import { createPythonEnvironment, hasPython, pythonSdk } from "./installed-python.ts"

// The SDK for Python, installed as a wheel: its own tests, its tools, and a proxy of this repository.
const { program, install } = createPythonEnvironment("python-sdk")
if (!hasPython) console.warn("SKIPPED: the SDK for Python, because there is no python3 from 3.10 on")

/** Runs a program in the SDK's folder; fails with what it said if it fails. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
  const said = await promisify(execFile)(command, args, { cwd: pythonSdk, env }).catch(
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${command} ${args.join(" ")}:\n${stdout.slice(-10_000)}${stderr.slice(-10_000)}`)
    },
  )
  return said.stdout
}

describe.skipIf(!hasPython)("the SDK for Python", () => {
  beforeAll(install, 240_000)

  test("passes its own tests", async () => {
    expect(await run(program("pytest"), "-q", "-p", "no:cacheprovider")).toMatch(
      /^(1[5-9]|[2-9]\d)\d\d passed/m,
    )
  }, 240_000)

  test("is formatted, and has nothing that linters find", async () => {
    const files = ["--no-cache", "--config", "pyproject.toml", ".", join(pythonSdk, "../../cli/wheel")]
    await run(program("ruff"), "format", "--check", ...files)
    await run(program("ruff"), "check", ...files)
    await run(program("pyright"), "--pythonpath", program("python"))
  }, 240_000)

  test("runs the program of docs/openfeature.md", async () => {
    const { proxy, secret } = await startTestProxy({
      snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
    })
    const text = readProgram("python", "in-process", proxy.url)
    const env = { ...process.env, FLAGSTONE_API_KEY: secret }
    const { stdout } = await promisify(execFile)(program("python"), ["-c", text], { env })
    expect(stdout).toBe("true\n")
  })

  test("has the flags that the fixture of docs/testing.md sets, in that test alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "flagstone-pytest-"))
    const block = blocksOf(readPage("docs/testing.md").text).find(({ info }) => info === "conftest.py")
    writeFileSync(join(folder, "conftest.py"), block?.text ?? "")
    const value = 'api.get_client().get_boolean_value("a", False)'
    const tests = `def test_a(flags):\n    flags({"a": True})\n    assert ${value}\n\n\ndef test_b():\n    assert not ${value}\n`
    writeFileSync(join(folder, "test_flags.py"), `from openfeature import api\n\n\n${tests}`)
    expect(await run(program("pytest"), "-q", "-p", "no:cacheprovider", folder)).toMatch(/^2 passed/m)
    rmSync(folder, { recursive: true })
  })

  test("learns of a change from a proxy without polling", async () => {
    const clock = { now: Date.now, monotonicNow: () => performance.now(), random: Math.random }
    const { proxy, files, secret } = await startTestProxy({ clock })
    const child = spawn(program("python"), [join(import.meta.dirname, "listen.py"), proxy.url, secret])
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
