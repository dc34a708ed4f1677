import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

test("the arms of a split get different ids, which no other rule may have", () => {
  const project = parseProject(
    { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" },
    "/p",
    createReport(),
  )
  if (project === undefined) throw new Error("the project has mistakes")
  const text = `defaultValue: false
environments:
  live:
    enabled: true
    rules:
      - id: half
        split: { by: userId, into: [{ share: 10, returnValue: true }, { share: 20, returnValue: false }] }
      - { id: half-2, attribute: plan, operator: equals, value: pro, returnValue: true }
      - { id: half, attribute: role, operator: equals, value: staff, returnValue: true }
`
  const report = createReport()
  checkFiles([{ path: "/p/a.yaml", text }], project, report)
  expect(report.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "duplicate-id: The id `half-2` appears twice. Change or remove one of them.",
  ])
})
