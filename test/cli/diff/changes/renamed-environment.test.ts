import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { replayContexts } from "../../../../cli/diff/changes/replay.ts"
import { changesReport } from "../../../../cli/diff/format/report.ts"
import { reportText } from "../../../../cli/report/report-text.ts"
import { testHost } from "../../../test-host.ts"
import { applyDiff } from "../apply.ts"
import { diffOf, documentsOf, sideOf } from "../sides.ts"

// An edit in the commit that renames its environment is an edit.

const project = (...names: readonly string[]) =>
  JSON.stringify({ project: "shop", environments: names, protected: names.slice(-1) })
const flag = (environments: object) => ({ defaultValue: false, environments })
const always = (returnValue: boolean) => ({ enabled: true, rules: [{ operator: "always", returnValue }] })
const same = { staging: always(true), production: always(true) }
const before = sideOf({ f: flag(same), g: flag(same) }, project("staging", "production"))

function said(after: ReturnType<typeof sideOf>) {
  const { json, ...diff } = diffOf(before, after)
  expect(applyDiff(documentsOf(before), json)).toEqual(documentsOf(after))
  const text = reportText(changesReport({ ...diff, warnings: [] }), { folder: "/", colour: false })
  return { text, codes: diff.warnings.map(({ code }) => code) }
}

test("a new name alone is one line", () => {
  const { text, codes } = said(
    sideOf(
      {
        f: flag({ staging: always(true), prod: always(true) }),
        g: flag({ staging: always(true), prod: always(true) }),
      },
      project("staging", "prod"),
    ),
  )
  expect(text).toMatchInlineSnapshot(`
    "\`prod\`: no one gets a different value; \`production\` is gone

    production (protected)
      production: environment renamed to \`prod\`
        clients of \`production\` no longer get any flags
    "
  `)
  expect(codes).toEqual(["protected-environment-removed"])
})

test("an edit is named and warned of under the new name", () => {
  const { text, codes } = said(
    sideOf(
      {
        f: flag({ staging: always(true), prod: always(false) }),
        g: flag({ staging: always(true), prod: always(true) }),
      },
      project("staging", "prod"),
    ),
  )
  expect(text).toMatchInlineSnapshot(`
    "\`prod\`: 1 flag changes what users get; \`production\` is gone

    prod (protected)
      f: rule 1 edited: returnValue \`true\` → \`false\`
        \`false\` instead of \`true\` for everyone

    production (protected)
      production: environment renamed to \`prod\`
        clients of \`production\` no longer get any flags
    "
  `)
  expect(codes).toEqual(["protected-environment-removed", "everyone-changes"])
})

test("so are those of two new names, a switch, and a removed or added configuration", () => {
  const { text, codes } = said(
    sideOf(
      {
        f: flag({ stage: always(true), prod: { ...always(true), enabled: false } }),
        g: flag({ prod: always(true) }),
      },
      project("stage", "prod"),
    ),
  )
  expect(text).toMatchInlineSnapshot(`
    "\`prod\`: 1 flag changes what users get; \`production\` is gone; \`stage\`: 1 flag changes what users get; \`staging\` is gone

    prod (protected)
      f: switched off
        \`false\` instead of \`true\` for everyone

    production (protected)
      production: environment renamed to \`prod\`
        clients of \`production\` no longer get any flags

    stage
      g: configuration removed: enabled, 1 rule
        \`false\` instead of \`true\` for everyone

    staging
      staging: environment renamed to \`stage\`
        clients of \`staging\` no longer get any flags
    "
  `)
  expect(codes).toEqual(["protected-environment-removed", "everyone-changes"])
})

test.each<readonly [string, boolean, readonly string[], readonly string[]]>([
  ["in their places", true, ["stage", "prod"], ["staging stage", "production prod"]],
  ["in a different order", false, ["prod", "stage"], ["staging stage", "production prod"]],
  [
    "beside a new one, where both were the same",
    true,
    ["stage", "qa", "prod"],
    ["staging stage", "production prod"],
  ],
])("of several new names, each has the environment that it had: %s", (_, staging, names, expected) => {
  const own = (name: string) =>
    name.startsWith("stag") ? always(staging) : name.startsWith("prod") ? always(true) : undefined
  const side = (all: readonly string[]) =>
    sideOf({ f: flag(Object.fromEntries(all.map((name) => [name, own(name)]))) }, project(...all))
  const text = reportText(
    changesReport({ ...diffOf(side(["staging", "production"]), side(names)), warnings: [] }),
    { folder: "/", colour: false },
  )
  const renamed = text.matchAll(/(\w+): environment renamed to `(\w+)`/g)
  expect([...renamed].map(([, from, to]) => `${from} ${to}`).sort()).toEqual([...expected].sort())
})

test("equal environments in a different order are told apart by their protection", () => {
  const side = (names: readonly string[], guarded: string) =>
    sideOf(
      { f: flag(Object.fromEntries(names.map((name) => [name, always(true)]))) },
      JSON.stringify({ project: "shop", environments: names, protected: [guarded] }),
    )
  const { environments, warnings } = diffOf(
    side(["staging", "production"], "production"),
    side(["prod", "stage"], "prod"),
  )
  expect(environments.filter((one) => one.protected).map(({ name }) => name)).toEqual(["prod", "production"])
  expect(warnings.map(({ message }) => message.split(/[:,.]/)[0])).toEqual([
    "`production` was protected and is now `prod`",
  ])
})

test("contexts are compared under the new name", async () => {
  const share = (value: string) => ({
    enabled: true,
    rules: [{ attribute: "id", operator: "percentage", value, returnValue: true }],
  })
  const side = (production: string, value: string) =>
    sideOf({ f: flag({ [production]: share(value) }) }, project("staging", production))
  const given = Array.from({ length: 100 }, (_, at) => `{"id":"${at}"}\n`).join("")
  const { affected, steps } = await replayContexts(
    "-",
    side("production", "10"),
    side("prod", "60"),
    undefined,
    testHost({ stdin: given }),
  )
  expect(steps.map(({ environment, count }) => [environment, count])).toEqual([["prod", affected]])
  expect(affected).toBeGreaterThan(30)
})

test("a new id of another environment, and segments under the new name, are kept", () => {
  const side = (name: string, returnValue: boolean, id: string) => {
    const production = { enabled: true, rules: [{ segment: "staff", returnValue }] }
    const environments = [{ name: "staging", id }, name]
    return sideOf(
      { f: flag({ staging: always(true), [name]: production }) },
      JSON.stringify({ project: "shop", environments }),
      { staff: { attribute: "email", operator: "endsWith", value: "@a" } },
    )
  }
  const { changes } = diffOf(side("production", true, "one"), side("prod", false, "two"))
  expect(changes.map(({ kind }) => kind)).toEqual([
    "environment-removed",
    "environment-changed",
    "environment-added",
    "configured",
    "ids-changed",
    "rule-edited",
  ])
  expect(changes.at(-1)?.effects.map(({ who }) => plainPhrase(who))).toEqual([
    "`false` instead of `true` for users in segment `staff`",
  ])
})
