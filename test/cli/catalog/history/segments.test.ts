import { expect, test } from "vitest"
import { createChangesBetween } from "../../../../cli/catalog/history/changes-between.ts"
import { keepVersion, putIn } from "../../../../cli/catalog/versions/kept-version.ts"
import { checkSegmentFiles } from "../../../../cli/compile/checks/check-segment-files.ts"
import { readOldFlag } from "../../../../cli/compile/history/old-version.ts"
import { writeFlag } from "../../../../cli/compile/meaning/compiled-flag.ts"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import { scope } from "../../conditions/world.ts"
import { shop, sideOf } from "../../diff/sides.ts"

const { project } = sideOf({}, shop)
if (project === undefined) throw new Error("there is a project")

/** The segments of a commit, by the plans that are in them. */
function segmentsOf(plans: Readonly<Record<string, string>>) {
  const sources = Object.entries(plans).map(([name, plan]) => ({
    path: `/flags/${name}.segment.yaml`,
    text: `attribute: plan\noperator: equals\nvalue: ${plan}\n`,
  }))
  return checkSegmentFiles(sources, project as NonNullable<typeof project>, createReport()).segments
}

/** What a history says where nothing changes but the segments that a rule is for. */
function saidOf(condition: object, states: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const rules = [{ ...condition, returnValue: true }]
  const text = JSON.stringify({ defaultValue: false, environments: { production: { enabled: true, rules } } })
  const flag = readOldFlag(Buffer.from(text), "a.yaml", project as NonNullable<typeof project>)
  if (flag === undefined) throw new Error("the flag can be read")
  const version = keepVersion(flag, writeFlag(flag))
  const between = createChangesBetween({
    ...{ project: { name: "shop" }, environments: ["production"], write: plain },
    compileExpression: scope.compileExpression,
  })
  const versions = states.map((plans) => putIn(segmentsOf(plans), version))
  return versions
    .slice(1)
    .flatMap((after, at) => between({ before: versions.slice(at, at + 1), after: [after] }))
    .map(({ said }) => said)
}

const plain = ({ what }: { readonly what: Parameters<typeof plainPhrase>[0] }) => plainPhrase(what)

test("a segment that changes is named", () => {
  expect(saidOf({ segment: "a" }, [{ a: "pro" }, { a: "team" }])).toEqual(["rule 1: segment `a` has changed"])
})

test("of two segments the one that changed is named, also where an earlier commit had the same rules on both sides", () => {
  const either = { any: [{ segment: "a" }, { segment: "b" }] }
  const states = [{ b: "pro" }, { a: "pro", b: "pro" }, { a: "pro" }, { a: "pro", b: "pro" }]
  expect(saidOf(either, states)).toEqual([
    "rule 1: segment `a` has changed",
    "rule 1: segment `b` has changed", // while one is unknown, the rule is the same with either of them
    "rule 1: segment `b` has changed",
  ])
})
