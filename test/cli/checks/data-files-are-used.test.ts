import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { dataFilesOf } from "../../../cli/flag/data-files.ts"
import { type Project, parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

function project(): Project {
  const source = { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" }
  const project = parseProject(source, "/p", createReport())
  if (project === undefined) throw new Error("the project has mistakes")
  return project
}

test.each([
  [[], ["stray-file"]],
  [["unreadable-file"], ["unreadable-file"]],
  [["file-too-large"], ["file-too-large"]],
] as const)("a list that no file names is reported unless a file could not be read: %j", (read, codes) => {
  const report = createReport()
  const span = { start: 0, end: 0 }
  for (const code of read) report.add({ code, message: "", source: { path: "/p/a.yaml", text: "" }, span })
  checkFiles([{ path: "/p/list.txt", text: "x\n" }], project(), report)
  expect(report.diagnostics.map(({ code }) => code)).toEqual(codes)
})

test("a list whose name is misspelt is reported where it is named alone", () => {
  const rule = "{ attribute: plan, operator: in, value: { file: plan.txt }, returnValue: true }"
  const flag = `defaultValue: false\nenvironments: { live: { enabled: true, rules: [${rule}] } }\n`
  const report = createReport()
  checkFiles(
    [
      { path: "/p/a.yaml", text: flag },
      { path: "/p/plans.txt", text: "pro\n" },
    ],
    project(),
    report,
  )
  expect(report.diagnostics.map(({ code }) => code)).toEqual(["unknown-file"])
})

test("a list is broken if one of its own mistakes is an error", () => {
  const report = createReport()
  const lists = ["sub/bad.txt", "odd.txt"].map((name) => ({ path: `/p/${name}`, text: "x\n" }))
  const span = { start: 0, end: 0 }
  for (const [at, source] of lists.entries())
    report.add({ code: "not-committed", severity: at === 0 ? "error" : "warning", message: "", source, span })
  const { names, isBroken, get } = dataFilesOf("/p", lists, report)
  expect(names.filter(isBroken)).toEqual(["sub/bad.txt"])
  expect(names.map(get)).toEqual(lists)
})
