import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { refuseBareRepositories } from "../../../../cli/reading/files/refuse-bare-repositories.ts"

function disguise(folder: string): void {
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n")
}

test.each([
  ["below the flags", "top/flags/below", "Remove the file."],
  ["the flags themselves", "top/flags", "Remove the file."],
  ["around the flags, which may be a server's", "top", "Check the flags out in a folder of their own"],
])("%s: the advice loses no repository", (_, place, advice) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "flagstone-bare-")))
  mkdirSync(join(root, ".git"))
  mkdirSync(join(root, "top/flags"), { recursive: true })
  disguise(join(root, place))
  const report = createReport()
  expect(refuseBareRepositories(join(root, "top/flags"), report)).toBe(true)
  const [found] = report.diagnostics
  expect(found?.location.source.path).toBe(join(root, place, "HEAD"))
  expect(found?.message).toContain(advice)
})
