import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

test("a group written as an operator is reported in its file, and flags that refer to it are checked", () => {
  const project = parseProject(
    { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" },
    "/p",
    createReport(),
  )
  if (project === undefined) throw new Error("the project has mistakes")
  const flag = (rule: string) =>
    `defaultValue: false\nenvironments: { live: { enabled: true, rules: [{ ${rule}, returnValue: true }] } }\n`
  const report = createReport()
  const sources = [
    { path: "/p/a.yaml", text: flag("attribute: plan, operator: any, value: pro") },
    { path: "/p/b.yaml", text: flag("flag: a") },
  ]
  checkFiles(sources, project, report)
  expect(report.diagnostics.map(({ code, location }) => [code, location.source.path])).toEqual([
    ["unknown-operator", "/p/a.yaml"],
  ])
})

test.each([
  ['{ "key": "k", "defaultValue": false }\n'],
  ["{ defaultValue: false, key: k }\n"],
  ["? key\n: k\ndefaultValue: false\n"],
  ["? key # why\n: k\ndefaultValue: false\n"],
  ["? >-\n  key\n# why\n: k\ndefaultValue: false\n"],
  ["{ key # why\n  : k, defaultValue: false }\n"],
  ['"k\\x65y": k\ndefaultValue: false\n'],
  ['? "k\\\n  ey"\n: k\ndefaultValue: false\n'],
])("a flag is found by the key in its file, wherever that is: %j", (text) => {
  const project = parseProject(
    { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" },
    "/p",
    createReport(),
  )
  if (project === undefined) throw new Error("the project has mistakes")
  const rules = "rules: [{ flag: k, returnValue: true }]"
  const sources = [
    { path: "/p/a.yaml", text },
    { path: "/p/b.yaml", text: `defaultValue: false\nenvironments: { live: { enabled: true, ${rules} } }\n` },
  ]
  const report = createReport()
  checkFiles(sources, project, report)
  expect(report.diagnostics.map(({ code }) => code)).not.toContain("unknown-flag")
})

test("two flags that refer to each other in different environments depend on themselves in neither", () => {
  const project = parseProject(
    { path: "/p/project.yaml", text: "project: p\nenvironments: [live, test]\n" },
    "/p",
    createReport(),
  )
  if (project === undefined) throw new Error("the project has mistakes")
  const on = (rule: string) => `{ enabled: true, rules: [{ ${rule}, returnValue: true }] }`
  const flag = (live: string, test: string) =>
    `defaultValue: false\nenvironments: { live: ${on(live)}, test: ${on(test)} }\n`
  const report = createReport()
  const { flags } = checkFiles(
    [
      { path: "/p/a.yaml", text: flag("flag: b", "attribute: x, operator: exists") },
      { path: "/p/b.yaml", text: flag("attribute: y, operator: exists", "flag: a") },
    ],
    project,
    report,
  )
  expect(report.diagnostics).toEqual([])
  const attributes = flags.flatMap(({ configurations }) =>
    [...configurations.values()].map(({ rules }) => rules[0]?.sent.attribute),
  )
  expect(attributes).toEqual(["y", "x", "y", "x"])
})
