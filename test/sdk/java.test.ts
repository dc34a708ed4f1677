// @module-tag system
// @module-tag slow
import { execFile, execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { deliverySlots, readProgram } from "../docs/openfeature-programs.ts"
import { buildFiles, createMapSource } from "../proxy/fixtures.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { hasMaven, javaClasspath, javaSdk } from "./java-classpath.ts"

// The SDK in Java has its tests beside it: Maven runs them, the compiler's warnings, Error Prone, NullAway and the formatter.
if (!hasMaven) console.warn("SKIPPED: the SDK in Java, because mvn is not installed")

describe.skipIf(!hasMaven)("the SDK in Java", () => {
  test("passes its tests, and is formatted", { timeout: 600_000 }, () => {
    const { stdout, status } = spawnSync("mvn", ["-B", "verify"], { cwd: javaSdk, encoding: "utf8" })
    expect(status === 0 ? "" : stdout.slice(-10_000)).toBe("")
    expect(stdout.match(/^\[INFO\] Tests run: [1-9]\d+, Failures: 0, Errors: 0, Skipped: 0$/gm)).toHaveLength(
      2,
    )
  })

  test("runs the program of docs/openfeature.md, and the test of docs/testing.md", {
    timeout: 300_000,
  }, async () => {
    const { proxy, secret } = await startTestProxy({
      snapshots: [createMapSource(buildFiles({ production: [deliverySlots] }))],
    })
    const folder = mkdtempSync(join(tmpdir(), "flagstone-java-"))
    writeFileSync(join(folder, "Shop.java"), readProgram("java", "in-process", proxy.url))
    writeFileSync(
      join(folder, "FlagsTest.java"),
      readProgram("java", "FlagsTest.java", "", "docs/testing.md"),
    )
    const sources = ["Shop.java", "FlagsTest.java"].map((name) => join(folder, name))
    sources.push(join(import.meta.dirname, "RunTest.java"))
    const path = javaClasspath("test")
    execFileSync("javac", ["-cp", path, "-d", folder, ...sources])
    const env = { ...process.env, FLAGSTONE_API_KEY: secret }
    const run = async (...program: readonly string[]) =>
      (await promisify(execFile)("java", ["-cp", `${folder}:${path}`, ...program], { env })).stdout
    expect(await run("Shop")).toBe("true\n")
    expect(await run("RunTest", "FlagsTest")).toBe("1 passed\n")
    rmSync(folder, { recursive: true })
  })
})
