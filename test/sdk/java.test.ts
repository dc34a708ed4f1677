// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { expect, test } from "vitest"

// The SDK in Java has its tests beside it: Maven runs them, the compiler's warnings, Error Prone, NullAway and the formatter.
const folder = resolve(import.meta.dirname, "../../sdk/java")

const hasMaven = spawnSync("mvn", ["--version"]).error === undefined
if (!hasMaven) console.warn("SKIPPED: the SDK in Java, because mvn is not installed")

test.skipIf(!hasMaven)("the SDK in Java passes its tests, and is formatted", { timeout: 600_000 }, () => {
  const { stdout, status } = spawnSync("mvn", ["-B", "verify"], { cwd: folder, encoding: "utf8" })
  expect(status === 0 ? "" : stdout.slice(-10_000)).toBe("")
  expect(stdout).toMatch(/^\[INFO\] Tests run: [1-9]\d+, Failures: 0, Errors: 0, Skipped: 0$/m)
})
