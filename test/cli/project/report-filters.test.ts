import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { type Git, GitMissing } from "../../../cli/git.ts"
import { reportFilters } from "../../../cli/project/report-filters.ts"

test.each([
  ["each file has its own", ["unspecified", "lfs", "unset", "set"], ["b.yaml"]],
  ["none is known without git", undefined, []],
])("filters that are reported: %s", async (_, filters, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
  writeFileSync(join(folder, ".gitattributes"), "* filter=lfs\n")
  const sources = ["a", "b", "c", "d"].map((name) => ({ path: join(folder, `${name}.yaml`), text: "" }))
  const git: Git = async ([command]) => {
    if (filters === undefined) throw new GitMissing()
    const fields = sources.flatMap(({ path }, at) => [path, "filter", filters[at] ?? ""])
    const stdout = command === "config" ? "git-lfs clean" : fields.map((field) => `${field}\0`).join("")
    return { status: 0, stdout: Buffer.from(stdout), stderr: "" }
  }
  const report = createReport()
  await reportFilters(folder, sources, git, report)
  const named = report.diagnostics.map(({ location }) => location.source.path)
  expect(named).toEqual(expected.map((name) => join(folder, name)))
})
