import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { compareSides } from "../../../cli/diff/diff.ts"
import { enabled, flag, german, ours, type Rule } from "./flags.ts"
import { diffOf, shop, sideOf } from "./sides.ts"

const kindsOf = ({ changes }: ReturnType<typeof diffOf>) =>
  changes.map((change) =>
    [
      change.kind,
      "member" in change ? change.member : undefined,
      "environment" in change ? change.environment : undefined,
      change.impact,
    ]
      .filter((part) => part !== undefined)
      .join(" "),
  )

test.each([
  [
    "name",
    shop.replace("shop", "store"),
    ["project-changed name definition", "project-changed id definition", "ids-changed definition"],
  ],
  ["operators", `${shop}operators: [near]\n`, ["project-changed operators none"]],
  [
    "protected environments",
    shop.replace("[production]", "[staging, production]"),
    ["project-changed protected none"],
  ],
  [
    "environments",
    shop.replace("staging", "qa, { name: staging, id: s }"),
    ["environment-added qa definition", "environment-changed staging definition", "ids-changed definition"],
  ],
])("what new %s in the project file weigh", (_, project, expected) => {
  const files = { f: { defaultValue: false, environments: { staging: enabled(german) } } }
  expect(kindsOf(diffOf(sideOf(files), sideOf(files, project)))).toEqual(expected)
})

describe("a scope", () => {
  const side = (defaultValue: boolean, rest: object, project = shop) =>
    sideOf(
      {
        f: { defaultValue, ...rest, environments: { staging: enabled(german), production: enabled(german) } },
      },
      project,
    )
  const only = (environment: string) => environment === "staging"

  test("leaves out the environments that it does not have, and what reaches no snapshot", () => {
    const [before, after] = [side(false, {}), side(true, { owner: "me" })]
    const all = diffOf(before, after)
    expect(kindsOf(all)).toEqual(["definition-changed defaultValue behaviour", "people-changed owner none"])
    expect(
      new Set(all.changes.flatMap(({ effects }) => effects).map(({ environment }) => environment)).size,
    ).toBe(3)
    const { environments, changes } = diffOf(before, after, only)
    expect(environments).toEqual([{ name: "staging", protected: false }])
    expect(changes.map(({ kind }) => kind)).toEqual(["definition-changed"])
    expect(changes.flatMap(({ effects }) => effects).map(({ environment }) => environment)).toEqual([
      "staging",
    ])
  })

  test("leaves out what becomes of other environments", () => {
    const [before, after] = ["a, staging, b", "staging"].map((names) =>
      sideOf({}, `project: shop\nenvironments: [${names}]\n`),
    )
    expect(before && after && diffOf(before, after, only).changes).toEqual([])
    expect(before && after && kindsOf(diffOf(before, after))).toEqual([
      "environment-removed a behaviour",
      "environment-removed b behaviour",
    ])
  })

  test("also leaves out configurations, new and removed flags' values, and warnings elsewhere", () => {
    const configured = (rules: readonly [typeof german, ...(typeof german)[]] | []) =>
      sideOf({ f: { defaultValue: false, environments: { production: enabled(...rules) } } })
    const diff = diffOf(configured([german]), configured([ours]), only)
    expect([diff.changes, diff.warnings]).toEqual([[], []])
    const come = diffOf(sideOf({}), configured([german]), only)
    expect(JSON.parse(come.json).changes).toMatchObject([{ after: { configurations: {} }, affected: [] }])
    expect(come.warnings).toEqual([])
    const gone = diffOf(configured([german]), sideOf({}), only)
    expect(JSON.parse(gone.json).changes).toMatchObject([
      { before: { configurations: {} }, affected: [{ environment: "staging" }] },
    ])
    expect(gone.warnings).toEqual([])
  })
})

test("an expression that is gone was one", async () => {
  const side = (...rules: readonly Rule[]) => sideOf({ f: flag(enabled(...rules)) })
  const { changes } = await compareSides(side(["email", "matches", "^a", true]), side(), { now: 0 })
  expect(changes.flatMap(({ effects }) => effects).map(({ who }) => plainPhrase(who))).toEqual([
    "`false` instead of `true` for users whose `email` matches `^a`",
  ])
})
