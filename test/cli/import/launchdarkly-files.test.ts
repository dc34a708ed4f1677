import { expect, test } from "vitest"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts, valuesOf } from "./import-text.ts"

const isPro = { attribute: "plan", op: "in", values: ["pro"] }
const inSegment = { attribute: "", op: "segmentMatch", values: ["s"] }
const config = {
  on: true,
  offVariation: 1,
  fallthrough: { variation: 1 },
  rules: [{ variation: 0, clauses: [isPro] }],
}
const flag = { ...config, variations: ["x", "y"] }
const listed = {
  key: "a",
  variations: [{ value: "x", name: "The first" }, { value: "y" }],
  environments: { production: config },
}
const usingSegment = { ...flag, rules: [{ variation: 0, clauses: [inSegment] }] }
const segment = { key: "s", description: "Who pays", rules: [{ clauses: [isPro] }] }

const importing = (...documents: readonly unknown[]) =>
  importTexts(
    launchDarkly,
    documents.map((one, at) => ({ path: `${at}.json`, text: JSON.stringify(one), environment: undefined })),
  )

test.each([
  [[{ items: [listed] }], ["x", "y"]],
  [[{ items: [{ ...listed, variations: [{ value: { a: 1 } }, { value: null }] }] }], [{ a: 1 }, null]],
  [
    [{ flags: { a: usingSegment } }, { items: [segment] }],
    ["x", "y"],
  ],
])("the documents %j give a flag", async (documents, [pro, free]) => {
  const found = await importing(...documents)
  expect(found.results.flatMap(({ losses }) => losses)).toEqual([])
  expect(await valuesOf(launchDarkly, found, [{ key: "u", plan: "pro" }, { key: "u" }])).toEqual([pro, free])
})

test("a flag's name, description, tags, maintainer and variations, and a segment's description, are written", async () => {
  const about = {
    name: "Flag A",
    description: "What it does",
    tags: ["web", "old"],
    _maintainer: { email: "ann@x.example" },
  }
  const { sources } = await importing({ items: [{ ...listed, ...about }] })
  expect(sources[0]?.text.split("\n").slice(0, 7)).toEqual([
    '# Variations: The first = "x", y = "y"',
    'name: "Flag A"',
    'description: "What it does"',
    "type: string",
    'defaultValue: "y"',
    'owner: "ann@x.example"',
    "tags: [web, old]",
  ])
  const [written] = (await importing({ flags: { a: usingSegment }, segments: { s: segment } })).sources
  expect(written?.text).toMatch(/^description: "Who pays"\n/)
  const unnamed = [{ value: { most: 1 } }, { value: { most: 2 } }]
  const [json] = (await importing({ items: [{ ...listed, variations: unnamed }] })).sources
  expect(json?.text).not.toContain("# Variations")
})

test.each([undefined, {}])("a flag whose environments are %j is left out and named", async (environments) => {
  const { remarks, results } = await importing({ items: [listed, { ...listed, key: "b", environments }] })
  expect(results.map(({ flag }) => flag)).toEqual(["a"])
  expect(remarks.map(({ flag, message }) => `${flag}: ${message}`)).toEqual([
    "b: it has no environments, and is left out",
  ])
})

test("an archived flag is left out and named, as is a temporary one in all its environments", async () => {
  const environments = { test: config, production: config }
  const items = [
    { ...listed, key: "old", archived: true },
    { ...listed, key: "soon", temporary: true, environments },
    { ...listed, key: "now", temporary: false },
    { ...listed, key: "kept", clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: false } },
    { ...listed, key: "web", clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false } },
  ]
  const { results, remarks } = await importing({ items })
  expect([...new Set(results.map((one) => one.flag))]).toEqual(["soon", "now", "kept", "web"])
  expect(remarks.map((one) => `${one.flag}: ${one.text}`)).toEqual([
    "old: it is archived, and is left out",
    "soon: it is temporary there: give it a date, as in `expires: 2027-06-30`, from which lint reports it",
    "kept: browsers do not get it there: name the flags that a key for browsers may evaluate, with `keys create --flags`",
  ])
})

test.each([
  [[{ items: [listed] }, { items: [segment], totalCount: 9 }], undefined], // of segments
  [[{ items: [{ ...listed, environments: { production: { ...config, _summary: {} } } }] }], undefined],
  [
    [{ items: [listed, { ...listed, key: "b", environments: { production: { on: true, _summary: {} } } }] }],
    "0.json has only summaries of flags",
  ],
])("of the documents %j it is said that %j", async (documents, said) => {
  if (said === undefined) await expect(importing(...documents)).resolves.toBeDefined()
  else await expect(importing(...documents)).rejects.toThrow(said)
})
