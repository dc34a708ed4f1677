import { expect, test } from "vitest"
import { describeChanges } from "../../../../cli/catalog/history/describe-changes.ts"
import { checkSegmentFiles } from "../../../../cli/compile/checks/check-segment-files.ts"
import { readOldFlag } from "../../../../cli/compile/history/old-version.ts"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import { scope } from "../../conditions/world.ts"
import { shop, sideOf } from "../../diff/sides.ts"

const { project } = sideOf({}, shop)
if (project === undefined) throw new Error("there is a project")

/** The segments of a commit, by the plans in them. */
function segmentsOf(plans: Readonly<Record<string, string>>) {
  const sources = Object.entries(plans).map(([name, plan]) => ({
    path: `/flags/${name}.segment.yaml`,
    text: `attribute: plan\noperator: equals\nvalue: ${plan}\n`,
  }))
  return checkSegmentFiles(sources, project as never, createReport()).segments
}

/** A history's sentences if only the segments of a rule change. */
function describe(condition: object, states: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const rules = [{ ...condition, returnValue: true }]
  const text = JSON.stringify({ defaultValue: false, environments: { production: { enabled: true, rules } } })
  const versions = states.map((plans) => {
    return readOldFlag(Buffer.from(text), "a.yaml", project as never, segmentsOf(plans)) ?? []
  })
  return versions
    .slice(1)
    .flatMap((after, at) =>
      describeChanges(
        { before: [versions[at] ?? []].flat(), after: [after].flat() },
        project as never,
        scope.compileExpression,
      ),
    )
    .map(({ what }) => plainPhrase(what))
}

test("a segment that changes is named", () => {
  expect(describe({ segment: "a" }, [{ a: "pro" }, { a: "team" }])).toEqual([
    "rule 1: segment `a` has changed",
  ])
})

test("of two segments the one that changed is named", () => {
  const either = { any: [{ segment: "a" }, { segment: "b" }] }
  const states = [{ b: "pro" }, { a: "pro", b: "pro" }, { a: "pro" }, { a: "pro", b: "pro" }]
  expect(describe(either, states)).toEqual([
    "rule 1: segment `a` has changed",
    "rule 1: segment `b` has changed", // as long as one is unknown, the rule is the same with either of them
    "rule 1: segment `b` has changed",
  ])
})
