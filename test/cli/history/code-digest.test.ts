// @module-tag system
import { execFileSync } from "node:child_process"
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

const root = resolve(import.meta.dirname, "../../..")

/** A copy of the repository's code, and the digest that a process computes for it. */
function copyCode() {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-code-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ["cli", "proxy", "sdk", "package.json"])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const script = `import { digestOfCode } from "./cli/history/code-digest.ts"; process.stdout.write(digestOfCode())`
  return {
    folder,
    digest: () =>
      execFileSync(process.execPath, ["--input-type=module", "-e", script], {
        cwd: folder,
        encoding: "utf8",
      }),
  }
}

test("in the repository, an edit of the code anywhere changes the digest, and the same code gives the same", () => {
  const { folder, digest } = copyCode()
  const seen = [digest()]
  expect(digest()).toBe(seen[0])
  for (const file of [
    "cli/project/compile.ts",
    "cli/conditions/scalar.ts",
    "cli/catalog/html/style.ts",
    "cli/catalog/bundle-page.js",
    "cli/phrases/users.ts",
    "proxy/contract/snapshot.ts",
    "sdk/evaluation/operators.ts",
  ]) {
    appendFileSync(join(folder, file), "// edited\n")
    seen.push(digest())
  }
  expect(new Set(seen).size).toBe(seen.length)
})
