// @module-tag system
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { until } from "../../in-time.ts"
import { testHost } from "../../test-host.ts"

const program = join(import.meta.dirname, "../../../cli/flagstone.js")

let cwd = ""
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "flagstone-import-"))
})

async function importing(flags: Readonly<Record<string, string>>) {
  const written = Object.entries(flags).map(([key, value]) => [
    key,
    { state: "ENABLED", variants: { on: value }, defaultVariant: "on" },
  ])
  writeFileSync(join(cwd, "a.json"), JSON.stringify({ flags: Object.fromEntries(written) }))
  const host = testHost({ cwd })
  return { status: await run(["import", "flagd", "a.json"], host, "0.0.0"), err: host.err() }
}

test("a file that is there is not overwritten, nor is a link that leads nowhere followed", async () => {
  mkdirSync(join(cwd, "flags"))
  symlinkSync("../elsewhere.yaml", join(cwd, "flags/gone.yaml"))
  expect((await importing({ gone: "x" })).err).toContain("flags/gone.yaml\nalready exists")
  expect(readdirSync(join(cwd, "flags"))).toEqual(["gone.yaml"])
})

test("a folder with the name of a file to be renamed is reported, and kept", async () => {
  mkdirSync(join(cwd, "flags/.b.yaml.new"), { recursive: true })
  expect(await importing({ a: "x", b: "x" })).toEqual({
    status: 2,
    err: "flagstone: flags/.b.yaml.new is in the way: remove that folder and import again\n",
  })
  expect(readdirSync(join(cwd, "flags")).sort()).toEqual([".b.yaml.new", "a.yaml", "project.yaml"])
})

test("an import that cannot write a whole file leaves no part of it, and the next one writes the rest", async () => {
  const long = "x".repeat(100_000)
  expect(await importing({ b: "first", c: long })).toMatchObject({ status: 0 })
  const whole = readFileSync(join(cwd, "flags/c.yaml"), "utf8")
  spawnSync("rm", ["-r", "flags"], { cwd })
  // At most 10 blocks for each file: the write of the second one ends the process or fails.
  const words = [
    "-c",
    `ulimit -f 10 && exec "$0" "$@"`,
    process.execPath,
    program,
    "import",
    "flagd",
    "a.json",
  ]
  const { status, stderr } = spawnSync("sh", words, { cwd, env: { ...process.env, NODE_COMPILE_CACHE: "" } })
  expect(status).not.toBe(0)
  if (status === 2) expect(String(stderr)).toContain("flags/c.yaml cannot be written (EFBIG)")
  const left = readdirSync(join(cwd, "flags"))
  expect(left).toContain("b.yaml")
  expect(left).not.toContain("c.yaml")
  expect(await importing({ b: "second", c: long })).toMatchObject({
    status: 2,
    err: expect.stringContaining("flags/b.yaml\nalready exists"),
  })
  expect(await importing({ b: "first", c: long })).toMatchObject({ status: 0 })
  expect(readFileSync(join(cwd, "flags/c.yaml"), "utf8")).toBe(whole)
  expect(readdirSync(join(cwd, "flags")).sort()).toEqual(["b.yaml", "c.yaml", "project.yaml"])
})

test("an import that is killed leaves whole files only, and the next one writes the rest", async () => {
  const keys = Array.from({ length: 500 }, (_, at) => `f-${at}`)
  const variants = { on: true }
  const flags = Object.fromEntries(
    keys.map((key) => [key, { state: "ENABLED", variants, defaultVariant: "on" }]),
  )
  writeFileSync(join(cwd, "a.json"), JSON.stringify({ flags }))
  const child = spawn(process.execPath, [program, "import", "flagd", "a.json"], { cwd, stdio: "ignore" })
  const ended = once(child, "exit")
  await until(() => existsSync(join(cwd, "flags/f-9.yaml")), "it writes")
  child.kill("SIGKILL")
  await ended
  const host = testHost({ cwd })
  expect([await run(["import", "flagd", "a.json"], host, "0.0.0"), host.err()]).toEqual([0, ""])
  const written = readdirSync(join(cwd, "flags")).sort()
  expect(written).toEqual([...keys.map((key) => `${key}.yaml`), "project.yaml"].sort())
})
