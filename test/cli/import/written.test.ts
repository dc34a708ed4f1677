import { expect, test } from "vitest"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts } from "./import-text.ts"

const fileOf = (content: object) => ({
  path: "a.json",
  text: JSON.stringify(content),
  environment: "production",
})

test.each([
  [[1, "a"], "json"],
  [[1, 2], "number"],
])("variants %j give a flag of type %s", async ([on, off], type) => {
  const flag = { variations: { on, off }, targeting: [{ query: 'p eq "x"', variation: "on" }] }
  const found = await importTexts(goff, [fileOf({ a: { ...flag, defaultRule: { variation: "off" } } })])
  expect(found.sources[0]?.text).toMatch(new RegExp(`^type: ${type}$`, "m"))
})

test("a split is not left out because one of its shares has no one", async () => {
  const plans = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"]
  const weights = [50_000, 50_000].map((weight, variation) => ({ variation, weight }))
  const clausesOf = (values: readonly string[]) => [{ attribute: "plan", op: "in", values }]
  const split = { clauses: clausesOf(plans), rollout: { bucketBy: "plan", variations: weights } }
  const imported = (...rules: readonly object[]) =>
    importTexts(launchDarkly, [
      fileOf({
        flags: {
          a: { on: true, variations: ["a", "b", "c"], offVariation: 2, fallthrough: { variation: 2 }, rules },
        },
      }),
    ])
  const evaluator = await (await imported(split)).evaluatorOf("production")
  const inFirst = plans.filter((plan) =>
    JSON.stringify(evaluator.evaluate("a", { plan })).includes('"value":"a"'),
  )
  expect([inFirst.length > 0, inFirst.length < plans.length]).toEqual([true, true])
  const { results, remarks } = await imported({ clauses: clausesOf(inFirst), variation: 1 }, split)
  expect(results.flatMap(({ losses }) => losses.map(({ code }) => code))).toEqual([
    "import-share-rebucketed",
    "import-language",
  ])
  expect(remarks.map(({ text }) => text)).not.toContain("a rule that no one reaches is left out")
})
