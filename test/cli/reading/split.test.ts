import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

test("the condition next to a split that has mistakes is checked, too", () => {
  const project = parseProject(
    { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" },
    "/p",
    createReport(),
  )
  if (project === undefined) throw new Error("the project has mistakes")
  const split = "split: { by: userId, into: [{ share: 0, returnValue: true }] }"
  const rule = `{ attribute: age, operator: greaterThan, value: old, ${split} }`
  const text = `defaultValue: false\nenvironments: { live: { enabled: true, rules: [${rule}] } }\n`
  const report = createReport()
  checkFiles([{ path: "/p/a.yaml", text }], project, report)
  expect(report.diagnostics.map(({ code }) => code).sort()).toEqual(["bad-operand", "bad-split"])
})
