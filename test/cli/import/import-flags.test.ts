import { expect, test } from "vitest"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { unleash } from "../../../cli/import/unleash.ts"
import { importTexts } from "./import-text.ts"

const is = (contextName: string, ...values: readonly string[]) => ({ contextName, operator: "IN", values })
/** RE2 has no lookahead, so the rule cannot be written. */
const lookahead = { contextName: "email", operator: "REGEX", value: "a(?=b)" }
const feature = (
  name: string,
  constraints: readonly object[],
  more: object = {},
  segments: readonly number[] = [],
) => ({
  ...{ name, enabled: true, strategies: [{ name: "default", constraints, segments }] },
  ...more,
})
const dependsOn = (parent: string) => ({ dependencies: [{ feature: parent }] })

async function importing(features: readonly object[], segments: readonly object[] = []) {
  const found = await importTexts(unleash, [
    { path: "a.json", text: JSON.stringify({ features, segments }), environment: undefined },
  ])
  return {
    codes: found.results.map(({ flag, losses }) => [flag, ...losses.map(({ code }) => code)].join(" ")),
    paths: found.sources.map(({ path }) => path.replace("/flags/", "")),
    found,
  }
}

test("a flag whose rule Flagstone refuses is not written, nor are those that depend on it, in the order of the file", async () => {
  const { codes, paths } = await importing([
    feature("child", [], dependsOn("bad")),
    feature("bad", [lookahead]),
    feature("good", [is("plan", "pro")]),
    feature("other", [], dependsOn("good")),
  ])
  expect(codes).toEqual([
    "child import-prerequisite",
    expect.stringMatching(/^bad import-language/),
    "good",
    "other",
  ])
  expect(paths).toEqual(["good.yaml", "other.yaml"])
})

test("what lint refuses is a loss of the rule, in the environments that have it", async () => {
  const fileOf = (environment: string, ...rules: readonly object[]) => ({
    path: `${environment}.json`,
    text: JSON.stringify({
      features: [
        feature("a", [is("plan", "pro")], {
          strategies: rules.map((rule) => ({ name: "default", constraints: [], ...rule })),
        }),
      ],
      segments: [{ id: 1, name: "odd", constraints: [lookahead] }],
    }),
    environment,
  })
  const found = await importTexts(unleash, [
    fileOf("dev", { constraints: [is("plan", "pro")] }),
    fileOf("staging", { constraints: [is("plan", "pro")] }, { constraints: [lookahead] }),
    fileOf("prod", { segments: [1] }),
  ])
  const places = found.results.flatMap(({ environment, losses }) =>
    losses.map(({ code, place }) => `${environment}: ${code} ${place.file} ${place.pointer}`),
  )
  expect(places).toEqual([
    "staging: import-language staging.json /features/0/strategies/1",
    "prod: import-language prod.json /features/0",
  ])
  expect(found.sources).toEqual([])
})

test("a segment that uses another one is written with it", async () => {
  const clause = (attribute: string, op: string, ...values: readonly string[]) => ({ attribute, op, values })
  const segments = {
    outer: { rules: [{ clauses: [clause("", "segmentMatch", "inner"), clause("country", "in", "de")] }] },
    inner: { rules: [{ clauses: [clause("plan", "in", "pro")] }] },
    unused: { included: ["ann"] },
  }
  const flag = {
    ...{ on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } },
    rules: [{ variation: 0, clauses: [clause("", "segmentMatch", "outer")] }],
  }
  const text = JSON.stringify({ flags: { a: flag }, segments })
  const { sources, results } = await importTexts(launchDarkly, [
    { path: "a.json", text, environment: undefined },
  ])
  expect(results.map(({ verdict }) => verdict)).toEqual(["exact"])
  expect(sources.map(({ path }) => path.split("/").at(-1)).sort()).toEqual([
    "a.yaml",
    "inner.segment.yaml",
    "outer.segment.yaml",
  ])
})
