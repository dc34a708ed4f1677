// @module-tag system
import { join, relative } from "node:path"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { printedDiagnostics } from "../../../cli/diagnostics/printed-diagnostics.ts"
import { createGit } from "../../../cli/git.ts"
import { commitFiles } from "../../../cli/project/commit-files.ts"
import { folderFiles, memoryFiles, type ProjectFiles } from "../../../cli/project/files.ts"
import { openProject, readFiles } from "../../../cli/project/open-project.ts"
import { createRepository, gitEnv } from "../../repository.ts"

const texts: Readonly<Record<string, string>> = {
  "project.yaml": "project: shop\nenvironments: [production]\nignore: [old/**]\n",
  "old/notes.yaml": "- not a flag\n",
  "staff.segment.yaml": "any: [{ attribute: email, operator: endsWith, value: '@shop.example' }]\n",
  "team/b.yaml":
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ segment: staff, returnValue: true }] }\n",
  "c.yaml":
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ flag: b, returnValue: true }] }\n",
  "broken.yaml": "defaultValue: maybe\n",
}

const repository = createRepository()
for (const [path, text] of Object.entries(texts)) repository.write(`flags/${path}`, text)
const revision = repository.commit(1)
const folder = join(repository.folder, "flags")

const kinds: Readonly<Record<string, () => Promise<ProjectFiles>>> = {
  "a folder": async () => folderFiles(folder),
  "a commit": () =>
    commitFiles(revision, { cwd: repository.folder, path: folder, prefix: "flags" }, createGit(gitEnv)),
  memory: async () => {
    const files = Object.entries(texts).map(([path, text]) => ({ path: join(folder, path), text }))
    return memoryFiles(
      folder,
      files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    )
  },
}

test.each(Object.entries(kinds))("%s gives the same flags and mistakes", async (_kind, open) => {
  const report = createReport()
  const { project, sources, flags, defined, isWhole } = await openProject(await open(), report)
  expect(project?.name).toBe("shop")
  expect(sources.map(({ path }) => relative(folder, path))).toEqual([
    "broken.yaml",
    "c.yaml",
    "staff.segment.yaml",
    "team/b.yaml",
  ])
  expect(defined.map(({ name }) => name)).toEqual(["staff"])
  expect(flags.map(({ key }) => key)).toEqual(["broken", "c", "b"])
  const [rule] = flags[1]?.configurations.get("production")?.rules ?? []
  expect(rule?.sent.value).toContain("@shop.example") // through the flag b and the segment
  expect(isWhole).toBe(true)
  const found = printedDiagnostics(report.diagnostics).map(
    ({ code, location }) => `${code} ${relative(folder, location.source.path)}:${location.span.start}`,
  )
  expect(found).toEqual(["wrong-value-type broken.yaml:14"])
})

test("only wanted flags are opened and checked; they may depend on the others", async () => {
  const report = createReport()
  const read = readFiles(folderFiles(folder), report)
  const { flags } = await openProject(read, report, ({ path }) => path.endsWith("c.yaml"))
  expect(flags.map(({ key }) => key)).toEqual(["c"])
  expect(flags[0]?.configurations.get("production")?.rules[0]?.sent.value).toContain("@shop.example")
  expect(report.diagnostics).toEqual([])
})
