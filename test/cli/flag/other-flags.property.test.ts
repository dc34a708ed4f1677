// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"
import { runs } from "../../runs.ts"
import { checkFiles } from "../check-files.ts"

// A condition on another flag must agree with that flag's value, for everyone and in each environment.

const project = parseProject(
  { path: "/p/project.yaml", text: "project: p\nenvironments: [live, test]\n" },
  "/p",
  createReport(),
)
if (project === undefined) throw new Error("the project file is wrong")

const leaf = fc.oneof(
  fc.record({
    attribute: fc.constantFrom("x", "id"),
    operator: fc.constantFrom("equals", "notEquals", "startsWith"),
    value: fc.constantFrom("a", "b", "id-1"),
  }),
  fc.record({
    attribute: fc.constant("id"),
    operator: fc.constant("percentage"),
    value: fc.constantFrom("30", "60"),
  }),
  fc.record({
    share: fc.record({ by: fc.constant("id"), from: fc.constantFrom(0, 20), to: fc.constantFrom(50, 70) }),
  }),
  fc.constant({ segment: "tenth" }),
)
const condition = (asked: string) => {
  const one =
    asked === ""
      ? leaf
      : fc.oneof(leaf, fc.record({ flag: fc.constant(asked), is: fc.constantFrom("a", "b", "off") }))
  const group = (kind: string) =>
    fc.array(one, { minLength: 1, maxLength: 2 }).map((parts) => ({ [kind]: parts }))
  return fc.oneof({ weight: 3, arbitrary: one }, group("all"), group("any"), group("none"))
}
const flag = (asked: string) => {
  const rule = fc
    .tuple(condition(asked), fc.constantFrom("a", "b", "off"))
    .map(([one, returnValue]) => ({ ...one, returnValue }))
  const split = fc.constant({
    split: {
      by: "id",
      into: [
        { share: 30, returnValue: "a" },
        { share: 30, returnValue: "b" },
      ],
    },
  })
  const configuration = fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    rules: fc.array(fc.oneof({ weight: 4, arbitrary: rule }, split), { maxLength: 4 }),
  })
  return fc.record(
    {
      type: fc.constant("string"),
      defaultValue: fc.constant("off"),
      environments: fc.record({ live: configuration, test: configuration }, { requiredKeys: [] }),
    },
    { requiredKeys: ["type", "defaultValue", "environments"] },
  )
}

const asking = (asked: string, is: string) => ({
  defaultValue: false,
  environments: Object.fromEntries(
    ["live", "test"].map((name) => [
      name,
      { enabled: true, rules: [{ flag: asked, is, returnValue: true }] },
    ]),
  ),
})
const tenth = { share: { by: "id", to: 10 } }
const people = ["", "a", "b", "id-1", ...Array.from({ length: 40 }, (_, at) => `u${at}`)]
const contexts = people
  .flatMap((id) => [{ id }, { id, x: "a" }, { id, x: ["b", "id-1"] }])
  .concat([{} as never])

test("a condition on a flag matches where that flag gives the value", async () => {
  await fc.assert(
    fc.asyncProperty(flag(""), flag("one"), async (one, two) => {
      const values = ["a", "b", "off"] as const
      const files = {
        one,
        two,
        ...Object.fromEntries(values.map((is) => [`is-${is}`, asking("two", is)])),
        "tenth.segment": tenth,
      }
      const sources = Object.entries(files).map(([name, file]) => ({
        path: `/p/${name}.yaml`,
        text: JSON.stringify(file),
      }))
      const report = createReport()
      const { flags } = checkFiles(sources, project, report)
      fc.pre(!report.diagnostics.some(({ code }) => ["too-deep", "too-many-conditions"].includes(code)))
      for (const environment of ["live", "test"]) {
        const { evaluate } = await compileEntries(flags.map((flag) => timelessEntry(flag, environment)))
        for (const context of contexts) {
          const given = evaluate("two", context)
          for (const is of values)
            expect([is, evaluate(`is-${is}`, context)]).toMatchObject([
              is,
              { value: given.kind === "evaluated" && given.value === is },
            ])
        }
      }
    }),
    { numRuns: runs(150) },
  )
})
