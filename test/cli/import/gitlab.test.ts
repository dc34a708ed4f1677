import { expect, test } from "vitest"
import { gitlab } from "../../../cli/import/gitlab.ts"
import { importTexts, valuesOf } from "./import-text.ts"

const importing = (pages: readonly (readonly object[])[], environments: readonly string[] = []) =>
  importTexts(
    gitlab,
    pages.map((page, at) => ({ path: `${at}.json`, text: JSON.stringify(page), environment: undefined })),
    { environments },
  )
const scopes = (...names: readonly string[]) => names.map((environment_scope) => ({ environment_scope }))
const strategy = (name: string, parameters: object, ...names: readonly string[]) => ({
  name,
  parameters,
  scopes: scopes(...names),
})

/** The scopes of a strategy, and in which of the environments it applies. */
test.each([
  [["*"], ["prod", "prod-eu", "a.b", "axb"]],
  [["prod"], ["prod"]],
  [["prod*"], ["prod", "prod-eu"]],
  [["*-eu"], ["prod-eu"]],
  [["a.b"], ["a.b"]],
  [
    ["prod", "a*b"],
    ["prod", "a.b", "axb"],
  ],
  [["p(r)od", "rod", "PROD"], []],
])("the scopes %j match the environments %j", async (names, matched) => {
  const flag = { name: "a", active: true, strategies: [strategy("default", {}, ...names)] }
  const { read } = await importing([[flag]], ["prod", "prod-eu", "a.b", "axb"])
  const on = read.flags[0]?.configurations.filter(({ enabled }) => enabled)
  expect(on?.map(({ environment }) => environment)).toEqual(matched)
})

test.each([
  [
    ["live", "*", "review/*", ""],
    ["live", "production"],
  ],
  [
    ["production", "live"],
    ["production", "live"],
  ],
])("the environments are those that the scopes %j name, and production", async (names, environments) => {
  const flags = names.map((name, at) => ({
    name: `f${at}`,
    active: true,
    strategies: [strategy("default", {}, name)],
  }))
  const { read } = await importing([flags])
  expect(read.flags[0]?.configurations.map(({ environment }) => environment)).toEqual(environments)
})

test("a strategy's users, list of users and share are those of GitLab", async () => {
  const strategies = [
    strategy("userWithId", { userIds: "ann" }, "*"),
    { ...strategy("gitlabUserList", {}, "*"), user_list: { user_xids: "bob,eve" } },
  ]
  const found = await importing([[{ name: "a", active: true, strategies }]])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
  const contexts = ["ann", "bob", "eve", "joe", undefined].map((userId) => ({ userId }))
  expect(await valuesOf(gitlab, found, contexts)).toEqual([true, true, true, false, false])
})

test("a flag that is not active is off, and keeps its rules", async () => {
  const flag = { name: "a", active: false, strategies: [strategy("userWithId", { userIds: "ann" }, "*")] }
  const found = await importing([[flag]])
  expect(await valuesOf(gitlab, found, [{ userId: "ann" }])).toEqual([false])
  expect(found.sources[0]?.text).toContain("value: ann")
})

test("of the scopes of a legacy flag, that with the environment's name counts, or else the longest", async () => {
  const scope = (environment_scope: string, active: boolean) => ({
    environment_scope,
    active,
    strategies: [{ name: "default", parameters: {} }],
  })
  const flag = {
    name: "a",
    active: true,
    version: "legacy_flag",
    scopes: [scope("*", true), scope("review-*", false), scope("review-a", true), scope("review*", true)],
  }
  const { read } = await importing([[flag]], ["review-a", "review-b", "live"])
  expect(read.flags[0]?.configurations.map(({ enabled }) => enabled)).toEqual([true, false, true])
})

test("strategies that apply nowhere are named, each with its flag", async () => {
  const strategies = [
    strategy("default", {}, "gone"),
    strategy("default", {}, "live"),
    { name: "default", parameters: {} },
  ]
  const { remarks } = await importing(
    [[{ name: "a", active: true, strategies }], [{ name: "b", active: true, strategies: [] }]],
    ["live"],
  )
  expect(
    remarks
      .map(({ flag, text, place }) => `${flag} ${place.pointer} ${text}`)
      .filter((one) => one.includes("scopes")),
  ).toEqual([
    "a /0/strategies/0 a strategy is left out: its scopes match no environment",
    "a /0/strategies/2 a strategy is left out: its scopes match no environment",
  ])
})
