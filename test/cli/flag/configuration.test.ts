import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { longestGroups } from "../../../cli/language/encode.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { checkFiles } from "../check-files.ts"

const project = parseProject(
  { path: "/p/project.yaml", text: "project: p\nenvironments: [live]\n" },
  "/p",
  createReport(),
)

function resolve(rules: readonly string[]) {
  if (project === undefined) throw new Error("the project has mistakes")
  const head = "defaultValue: false\nenvironments:\n  live:\n    enabled: true\n    rules:\n"
  const text = head + rules.map((rule) => `      - ${rule}\n`).join("")
  const report = createReport()
  const {
    flags: [flag],
  } = checkFiles([{ path: "/p/a.yaml", text }], project, report)
  const sent = flag?.configurations.get("live")?.rules.map((rule) => rule.sent)
  return { rules: sent ?? [], mistakes: report.diagnostics.map(({ code }) => code) }
}

/** A condition 8 groups deep, where each quote takes 256 characters. */
function deep(quotes: number): string {
  const leaf = `{ attribute: a, operator: equals, value: &q '${'"'.repeat(quotes)}' }`
  return `{ all: [${"{ any: [".repeat(7)}${leaf}${"] }".repeat(7)}], returnValue: true }`
}

test("groups are sent as JSON in JSON, members in the order of the wire", () => {
  const { rules } = resolve([
    "{ none: [{ value: x, operator: equals, attribute: a }, { any: [{ attribute: b, operator: in, value: [c] }] }], returnValue: true }",
  ])
  expect(rules).toMatchObject([
    {
      attribute: "",
      operator: "none",
      value:
        '[{"attribute":"a","operator":"equals","value":"x"},' +
        '{"attribute":"","operator":"any","value":"[{\\"attribute\\":\\"b\\",\\"operator\\":\\"in\\",\\"value\\":\\"[\\\\\\"c\\\\\\"]\\"}]"}]',
    },
  ])
})

test("the groups of a file are bounded together, and those beyond the bound are not mistaken for the same", () => {
  const rule = deep(6_000).replace("&q ", "")
  const { rules, mistakes } = resolve([rule, rule.replace("'\"", "'x"), rule.replace("'\"", "'y"), rule])
  const lengths = rules.map(({ value }) => value.length)
  expect(lengths.map((length) => length > 0)).toEqual([true, true, false, false])
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(longestGroups)
  expect(mistakes).toEqual(["too-many-conditions"])
})

test("a megabyte that aliases and escapes would turn into gigabytes is read in time", () => {
  const rule = deep(8_000).replace("{ all", "&r { all")
  const { rules, mistakes } = resolve([rule, ...Array.from({ length: 500 }, () => "*r")])
  expect(rules.length).toBe(501)
  expect(JSON.stringify(rules).length).toBeLessThan(3 * longestGroups)
  expect(mistakes).toContain("too-many-conditions")
})

test("a missing segment takes nothing away from the groups after it", () => {
  const group = "{ all: [{ attribute: a, operator: exists }], returnValue: true }"
  const inGroup = "{ all: [{ segment: gone }, { attribute: a, operator: exists }], returnValue: true }"
  const { rules } = resolve(["{ segment: gone, returnValue: true }", inGroup, group])
  expect(rules.map(({ operator, value }) => [operator, value === ""])).toEqual([
    ["any", true],
    ["all", true],
    ["all", false],
  ])
})
