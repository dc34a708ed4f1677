import { expect, test } from "vitest"
import { describeChanges } from "../../../../cli/catalog/history/describe-changes.ts"
import { checkSegmentFiles } from "../../../../cli/checks/check-segment-files.ts"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { readOldFlag } from "../../../../cli/history/old-version.ts"
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

test("each change has its kind, its environment and whose value changes", () => {
  const flag = (key: string, ...rules: readonly object[]) => {
    const environments = { production: { enabled: true, rules } }
    const text = JSON.stringify({ defaultValue: false, environments })
    return [readOldFlag(Buffer.from(text), `${key}.yaml`, project as never, segmentsOf({})) ?? []].flat()
  }
  type Version = ReturnType<typeof flag>
  const changesOf = (before: Version, after: Version) =>
    describeChanges({ before, after }, project as never, scope.compileExpression).map(
      ({ what, who, ...rest }) => ({
        ...{ ...rest, what: plainPhrase(what) },
        who: who.map(({ environment, sentence }) => `${environment}: ${plainPhrase(sentence)}`),
      }),
    )
  const always = { operator: "always", returnValue: true }
  const pro = { attribute: "plan", operator: "equals", value: "pro", returnValue: true }
  const noLonger = (environment: string, rest = "") =>
    `${environment}: clients in \`${environment}\` that ask for it no longer get it${rest}`
  expect(changesOf([], flag("a", always))).toEqual([
    { kind: "added", flag: "a", what: "flag added", who: ["production: `true` for everyone"] },
  ])
  expect(changesOf(flag("a", always), [])).toEqual([
    {
      ...{ kind: "removed", flag: "a", what: "flag removed" },
      who: [...[noLonger("development"), noLonger("staging")], noLonger("production", "; it was on")],
    },
  ])
  expect(changesOf(flag("a", pro, always), flag("b", pro, always))).toEqual([
    {
      ...{ kind: "renamed", flag: "b", from: "a", what: "flag renamed from `a`" },
      who: ["development", "staging", "production"].map(
        (environment) =>
          `${environment}: clients that ask for \`a\` no longer get it; under its new key, everyone keeps their value`,
      ),
    },
  ])
  expect(changesOf(flag("a", pro), flag("a", always))).toEqual([
    {
      ...{ kind: "changed", flag: "a", environment: "production" },
      what: "rule 1 edited: `plan equals pro` → `always`",
      who: ["production: `true` instead of `false` for everyone without `plan` `pro`"],
    },
  ])
  const arms = (...shares: readonly number[]) => ({
    split: { by: "id", into: shares.map((share) => ({ share, returnValue: true })) },
  })
  for (const after of [arms(40, 33, 27), arms(40, 30, 20, 10)]) {
    const [once, ...rest] = changesOf(flag("a", arms(34, 33, 33)), flag("a", after))
    expect([once?.what, rest]).toEqual(["rule 1 edited: shares", []])
  }
  expect(changesOf(flag("a"), flag("a"))).toEqual([])
})
