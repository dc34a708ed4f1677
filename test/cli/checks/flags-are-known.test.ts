import { expect, test } from "vitest"
import { advise } from "../../../cli/checks/advice.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

const on = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"
const inLive = (configuration: string) => `defaultValue: false\nenvironments:\n  live: ${configuration}\n`

test.each([
  [
    '"7"',
    "type: string\ndefaultValue: q\nenvironments:\n  live: { enabled: true, rules: [{ operator: always, returnValue: 7 }] }\n",
  ],
  ["x", "type: string\ndefaultvalue: x\n"],
  ["x", "typ: string\ndefaultValue: x\n"],
  ["true", `type: boolen\n${inLive(on)}`],
  ["true", inLive(on).replace("live", "life")],
  ["true", inLive(on).replace("returnValue", "returnvalue")],
  ["true", inLive(on).replace("enabled: true", "enabled: yess")],
  ["true", inLive("{ enabled: true, rules: [on] }")],
  ["true", inLive("{ enabled: true, rulez: [{ segment: staff, returnValue: true }] }")],
])("nothing follows elsewhere from a mistake in a flag that others ask for %s: %j", (is, text) => {
  const files = {
    "a.yaml": text,
    "asks.yaml": inLive(`{ enabled: true, rules: [{ flag: a, is: ${is}, returnValue: true }] }`),
    "invariants.yaml": `- { name: never, never: { flag: a, is: ${is} } }\n`,
    "staff.segment.yaml": "{ attribute: plan, operator: exists }\n",
  }
  const source = { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" }
  const report = createReport()
  const project = parseProject(source, "/p", report)
  if (project === undefined) throw new Error("the project has mistakes")
  const sources = Object.entries(files).map(([name, text]) => ({ path: `/p/${name}`, text }))
  advise(checkFiles(sources, project, report), project, 0, report)
  const found = report.diagnostics.map(({ location }) => location.source.path)
  expect(found.filter((path) => path !== "/p/staff.segment.yaml" || text.includes("staff"))).toEqual([
    "/p/a.yaml",
  ])
})

test("a chain of flags may be longer than the stack", () => {
  const source = { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" }
  const report = createReport()
  const project = parseProject(source, "/p", report)
  if (project === undefined) throw new Error("the project has mistakes")
  const length = 2_500
  const keyAt = (at: number) => `f${String(at).padStart(4, "0")}`
  const sources = Array.from({ length }, (_, at) => {
    const asked = at === length - 1 ? "operator: always" : `flag: ${keyAt(at + 1)}`
    const text = inLive(`{ enabled: true, rules: [{ ${asked}, returnValue: true }] }`)
    return { path: `/p/${keyAt(at)}.yaml`, text }
  })
  const { flags } = checkFiles(sources, project, report)
  expect(report.diagnostics).toEqual([])
  expect(flags[0]?.configurations.get("live")?.rules[0]?.condition).toMatchObject({
    means: { kind: "comparison" },
  })
})
