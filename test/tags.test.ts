import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

// test/starts-nothing.ts checks that tests that start something have the tag `system`.

test("who asks as often as `runs` says has the tag by which that becomes longer", () => {
  const files = globSync("**/*.test.ts", { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(200)
  const untagged = files.filter((file) => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8")
    return /\bimport \{ runs \}/.test(text) && !/^\/\/ @module-tag property$/m.test(text)
  })
  expect(untagged).toEqual([])
})
