import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { type Git, GitMissing } from "../../../cli/git.ts"
import { reportFilters } from "../../../cli/project/report-filters.ts"

const lfs = { ".gitattributes": "* filter=lfs\n" }

test.each([
  ["each file has its own", lfs, ["unspecified", "lfs", "unset", "set"], ["b.yaml"]],
  [
    "a folder of the files names them",
    { "more/.gitattributes": "* filter=lfs\n" },
    ["", "", "", "lfs"],
    ["more/d.yaml"],
  ],
  ["no program is configured for one", lfs, ["unspecified", "crypt", "lfs", "set"], ["more/c.yaml"]],
  ["none is known without git", lfs, undefined, []],
])("filters that are reported: %s", async (_, attributes, filters, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
  mkdirSync(join(folder, "more"))
  for (const [path, text] of Object.entries(attributes)) writeFileSync(join(folder, path), text)
  const sources = ["a", "b", "more/c", "more/d"].map((name) => ({
    path: join(folder, `${name}.yaml`),
    text: "",
  }))
  const git: Git = async ([command, ...args]) => {
    if (filters === undefined) throw new GitMissing()
    const fields = sources.flatMap(({ path }, at) => [path, "filter", filters[at] || "unspecified"])
    const stdout = command === "config" ? "" : fields.map((field) => `${field}\0`).join("")
    const isUnset = command === "config" && !args.some((arg) => arg.includes("lfs"))
    return { status: isUnset ? 1 : 0, stdout: Buffer.from(stdout), stderr: "" }
  }
  const report = createReport()
  await reportFilters(folder, sources, git, report)
  const named = report.diagnostics.map(({ location }) => location.source.path)
  expect(named).toEqual(expected.map((name) => join(folder, name)))
})
