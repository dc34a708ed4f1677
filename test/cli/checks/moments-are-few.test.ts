import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

/** A ramp whose stages begin an hour after each other. */
function ramp(from: number, stages: number): string {
  const stage = (_: unknown, index: number) =>
    `{ at: ${new Date((from + index) * 3_600_000).toISOString()}, share: ${index + 1} }`
  return `ramp: { by: id, seed: s, stages: [${Array.from({ length: stages }, stage).join(", ")}] }`
}

const tooMany =
  "The rules for `live` compare `now` with 101 moments; they may have at most 100. Compare fewer, such as those of shorter ramps."

test.each([
  ["two ramps of the longest", [ramp(0, 50), ramp(50, 50)], []],
  ["three with the same moments", [ramp(0, 50), ramp(0, 50), ramp(0, 50)], []],
  ["one that is longer", [ramp(0, 51)], ["A ramp may have at most 50 stages. Remove some."]],
  ["three, one in a segment", [ramp(0, 50), ramp(50, 49), "segment: late"], [tooMany]],
])("the moments of a flag are few: %s", (_, rules, expected) => {
  const text = "project: p\nenvironments: [live]\nclock: now\n"
  const project = parseProject({ path: "/p/project.yaml", text }, "/p", createReport())
  if (project === undefined) throw new Error("the project has mistakes")
  const items = rules.map(
    (rule, at) =>
      `      - { all: [{ attribute: plan, operator: equals, value: p${at} }, { ${rule} }], returnValue: true }\n`,
  )
  const flag = `defaultValue: false\nenvironments:\n  live:\n    enabled: true\n    rules:\n${items.join("")}`
  const report = createReport()
  checkFiles(
    [
      { path: "/p/a.yaml", text: flag },
      { path: "/p/late.segment.yaml", text: `${ramp(1_000, 2)}\n` },
    ],
    project,
    report,
  )
  const found = report.diagnostics.filter(({ code }) => code !== "unused-segment")
  expect(found.map(({ message }) => message)).toEqual(expected)
})
