import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { flipt } from "../../../cli/import/flipt.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { checkFiles } from "../check-files.ts"
import { importTexts, lossesIn } from "./import-text.ts"

const is = (attribute: string, ...values: readonly unknown[]) => ({ attribute, op: "in", values })
const rule = (variation: number, ...clauses: readonly object[]) => ({ variation, clauses })
const inSegment = { op: "segmentMatch", values: ["s"] }
const segments = { s: { included: ["ann"] } }

/** The remarks on flag `a`, each with the place of what is left out, and the variations that its file returns. */
async function ofFlag(more: object, others: object = {}) {
  const a = { on: true, offVariation: 2, fallthrough: { variation: 1 }, variations: ["x", "y", "z"], ...more }
  const text = JSON.stringify({ flags: { a, ...others }, segments })
  const found = await importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
  const said = found.remarks.map(
    ({ text, detail, place }) =>
      `${place.pointer.replace("/flags/a", "")} ${text}${detail ? `: ${plainPhrase(detail)}` : ""}`,
  )
  const written = found.sources.find(({ path }) => path === "/flags/a.yaml")?.text
  return {
    said,
    losses: lossesIn(found),
    written,
    values: written?.match(/returnValue: \S+/g)?.map((one) => one.slice(13)),
  }
}

const noOne = "a rule that matches no one is left out"
const after = "a rule after one that matches everyone is left out"
const idle = "a rule that changes nothing is left out"
const unreached = "a rule that no one reaches is left out"

test.each([
  [{ rules: [rule(0, is("plan"))] }, [`/rules/0 ${noOne}`], ['"y"']],
  [
    { rules: [rule(0, is("plan", "pro")), rule(0, is("plan", "pro"), is("seats", 5))] },
    [`/rules/1 ${unreached}: rule 2`],
    ["x", '"y"'],
  ],
  [
    { rules: [rule(0, is("plan", "pro")), rule(0, is("plan", "pro", "team"))] },
    [`/rules/0 ${idle}: rule 1`],
    ["x", '"y"'],
  ],
  [
    { on: false, rules: [rule(0), rule(1, is("plan", "pro"))] },
    [`/rules/1 ${after}`, `/fallthrough ${after}`],
    ["x"],
  ],
  // The fallthrough is one that no one reaches, too.
  [{ rules: [rule(0, inSegment), rule(0, { ...inSegment, negate: true })] }, [], ["x", "x"]],
  [{ rules: [rule(1, inSegment), rule(0, { ...inSegment, negate: true })] }, [], ['"y"', "x"]],
])("of the flag %j it is said: %j", async (flag, said, values) => {
  const found = await ofFlag(flag)
  expect(found.losses.filter((loss) => !loss.startsWith("import-context-"))).toEqual([])
  expect([found.said, found.values]).toEqual([said, values])
})

test("of rules that each change nothing, one is left out at a time", async () => {
  const rules = [
    rule(0, is("plan", "pro")),
    rule(0, is("plan", "pro", "team")),
    rule(0, is("plan", "pro", "team", "free")),
  ]
  const { said, values } = await ofFlag({ rules })
  expect(said).toEqual([`/rules/0 ${idle}: rule 1`, `/rules/1 ${idle}: rule 1`])
  expect(values).toEqual(["x", '"y"'])
})

test.each([
  ["prod", '["x"]', '["x","x"]'],
  ["dev", '["x","x"]', '["x"]'],
])("a rule that no one reaches is left out where that is in %s alone", async (unreached, dev, prod) => {
  const [first, second] = [rule(0, is("plan", "pro")), rule(0, is("plan", "team"))]
  const configOf = (name: string) => ({
    ...{ on: true, offVariation: 1, fallthrough: { variation: 1 } },
    rules: name === unreached ? [first, { ...first, variation: 1 }, second] : [first],
  })
  const environments = { dev: configOf("dev"), prod: configOf("prod") }
  const items = [{ key: "a", variations: [{ value: "x" }, { value: "y" }], environments }]
  const text = JSON.stringify({ items })
  const found = await importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact", "exact"])
  const { flags } = checkFiles(found.sources, found.project, createReport())
  const values = flags.flatMap(({ configurations }) =>
    [...configurations.values()].map(({ rules }) => JSON.stringify(rules.map(({ gives }) => gives))),
  )
  expect(values).toEqual([dev, prod])
})

test("an environment with its own off value has a rule for it instead of its rules, which are named", async () => {
  const config = { on: false, fallthrough: { variation: 2 } }
  const environments = { test: { ...config, offVariation: 0 }, live: { ...config, offVariation: 1 } }
  const variations = ["x", "y", "z"].map((value) => ({ value }))
  const text = JSON.stringify({ items: [{ key: "a", variations, environments }] })
  const { remarks, sources } = await importTexts(launchDarkly, [
    { path: "a.json", text, environment: undefined },
  ])
  expect(remarks.map((one) => `${one.environment} ${one.text}: ${plainPhrase(one.detail ?? [])}`)).toEqual([
    expect.stringMatching(
      /^live it is off, .*its off value differs between environments: `"y"` instead of `"x"`$/,
    ),
  ])
  expect(sources[0]?.text).toContain(
    'live: { enabled: true, rules: [{ operator: always, returnValue: "y" }] }',
  )
})

test("without rules, nothing is said of an environment with its own off value", async () => {
  const files = ["x", "y"].map((usual) => ({
    ...{ path: "a.json", environment: usual },
    text: JSON.stringify({
      flags: [
        {
          key: "a",
          enabled: false,
          variants: [
            { key: "x", default: usual === "x" },
            { key: "y", default: usual === "y" },
          ],
        },
      ],
    }),
  }))
  const { remarks, results } = await importTexts(flipt, files)
  expect([remarks, results.map(({ verdict }) => verdict)]).toEqual([[], ["exact", "exact"]])
})

test("a rollout of no one and one that gives what everyone gets change nothing", async () => {
  const on = (percentage: number, value: boolean) => ({ threshold: { percentage, value } })
  const flag = {
    key: "a",
    type: "BOOLEAN_FLAG_TYPE",
    enabled: false,
    rollouts: [on(0, true), on(50, false), on(30, true), on(20, false)],
  }
  const text = JSON.stringify({ flags: [flag] })
  const found = await importTexts(flipt, [{ path: "a.json", text, environment: "production" }])
  expect(found.remarks.map(({ text, place }) => `${place.pointer} ${text}`)).toEqual([
    `/flags/0/rollouts/0 ${noOne}`,
    `/flags/0/rollouts/3 ${idle}`,
    expect.stringMatching(/rollouts\/2/),
  ])
})
