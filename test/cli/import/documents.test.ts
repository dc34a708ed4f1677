import { expect, test } from "vitest"
import { documentsOf } from "../../../cli/import/documents.ts"
import { flagd } from "../../../cli/import/flagd.ts"
import { flipt } from "../../../cli/import/flipt.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { placeOf } from "../../../cli/import/form/tree.ts"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { unleash } from "../../../cli/import/unleash.ts"

const flag = '{ "state": "ENABLED", "variants": { "on": true }, "defaultVariant": "on" }'
const json = `{ "flags": {\n  "a": ${flag} } }`

async function read(tool: Tool, text: string) {
  const file = { path: "a.yaml", text, environment: undefined }
  const { documents, remarks } = await documentsOf(tool, [file])
  const { flags } = tool.read(documents, { strategies: new Map(), knownValues: new Map() })
  const places = flags.map(({ key, configurations }) => [
    key,
    ...configurations.map(({ node }) => `${placeOf(node).line} ${placeOf(node).pointer}`),
  ])
  return { places, remarks: remarks.map(({ node, text }) => `${placeOf(node).line} ${text}`) }
}

const indent = (text: string, by: string) => text.replaceAll(/^/gm, by)

test.each([
  [
    "a custom resource",
    `kind: FeatureFlag\nspec:\n  flagSpec: ${indent(json, "    ")}`,
    "4 /spec/flagSpec/flags/a",
  ],
  [
    "a config map with JSON",
    `kind: ConfigMap\ndata:\n  f.json: |\n${indent(json, "    ")}`,
    "3 /data/f.json/flags/a",
  ],
  [
    "a config map that is JSON",
    JSON.stringify({ kind: "ConfigMap", data: { f: json, "nginx.conf": "server {}", note: "x" } }),
    "1 /data/f/flags/a",
  ],
  [
    "v1alpha1",
    `apiVersion: core.openfeature.dev/v1alpha1\nkind: FeatureFlagConfiguration\nspec:\n  featureFlagSpec: |\n${indent(json, "    ")}`,
    "4 /spec/featureFlagSpec/flags/a",
  ],
  [
    "v1alpha2",
    `kind: FeatureFlagConfiguration\nspec:\n  featureFlagSpec:\n    flags:\n      a: ${flag}`,
    "5 /spec/featureFlagSpec/flags/a",
  ],
  [
    "a list that kubectl printed",
    `kind: List\nitems:\n  - kind: ConfigMap\n    data:\n      f.json: |\n${indent(json, "        ")}`,
    "5 /items/0/data/f.json/flags/a",
  ],
])("flagd's flags are found in %s", async (_, text, place) => {
  expect(await read(flagd, text)).toEqual({ places: [["a", place]], remarks: [] })
})

test.each([
  [flipt, "1.6", true],
  [flipt, "v1.6.0", true],
  [flipt, "v1.7", false],
  [flipt, "1.10", false],
  [flipt, "9.9", false],
  [unleash, 4, true],
  [unleash, 99, false],
])("a file of a version that may say more is refused: %#", async (tool, version, isRead) => {
  const list = tool === flipt ? { flags: [{ key: "a", enabled: true }] } : { features: [{ name: "a" }] }
  const reading = read(tool, JSON.stringify({ ...list, version }))
  if (isRead) expect((await reading).places).toHaveLength(1)
  else await expect(reading).rejects.toThrow(`a.yaml:1 says version ${version}`)
})

test("texts of a config map that are no JSON or YAML are passed over", async () => {
  const text = `kind: ConfigMap\ndata:\n  bad: "{"\n  n: 5\n  f: |\n    flags: { a: ${flag} }`
  expect((await read(flagd, text)).places).toEqual([["a", "5 /data/f/flags/a"]])
})

test("documents without flags are reported in all files, each at its line", async () => {
  const texts = ["kind: ConfigMap\ndata: { a: text }", `flags: { a: ${flag} }`, "b: 1"]
  expect(await read(flagd, texts.join("\n---\n"))).toEqual({
    places: [["a", "4 /flags/a"]],
    remarks: ["1 a document without flagd flags is left out", "6 a document without flagd flags is left out"],
  })
})

test.each([
  [{ features: [] }, unleash],
  [{ segments: [] }, unleash],
  [{ items: [] }, launchDarkly],
  [[], launchDarkly],
  [{ flags: {}, segments: {} }, launchDarkly],
  [{ data: { flags: {}, segments: {} } }, launchDarkly],
  [{ segments: {} }, launchDarkly],
  [{ flags: {} }, flagd],
  [{ spec: { flags: {} } }, flagd],
  [{ spec: { flagSpec: { flags: {} } } }, flagd],
  [{}, goff],
  [{ flags: [], segments: [{ key: "s" }] }, flipt],
  [{ segments: [] }, flipt],
  [{ version: "1.2", namespace: "team", flags: [] }, flipt],
  [{ version: "1.4", namespace: { key: "team", name: "Team" } }, flipt],
  [{ namespace: "team", segments: [] }, flipt],
])("%j may be an export without flags", async (document, tool) => {
  const found = await read(tool, JSON.stringify(document))
  expect(found).toEqual({ places: [], remarks: ["1 an export without flags"] })
})

test.each(["", "\n", "# nothing yet\n", "---\n", "null"])("%j is an export without flags", async (text) => {
  expect(await read(unleash, text)).toEqual({ places: [], remarks: ["1 an export without flags"] })
})

test.each([
  { flags: [{ key: "a", type: "BOOLEAN_FLAG_TYPE" }], segments: [] },
  { flags: [{ name: "a" }], segments: [] },
  { spec: { flags: { a: {} } }, segments: [] },
])("a file with flags that are no Unleash flags is refused: %j", async (document) => {
  await expect(read(unleash, JSON.stringify(document))).rejects.toThrow(/a\.yaml/)
})

test("a flag that is called as an export's version is one", async () => {
  const text = JSON.stringify({ version: { variations: { on: true }, defaultRule: { variation: "on" } } })
  expect(await read(goff, text)).toEqual({ places: [["version", "1 /version"]], remarks: [] })
})

test("beside others, Flipt's namespaces may have no flags", async () => {
  const empty = "version: '1.4'\nnamespace: { key: default, name: Default }"
  const full = "namespace: { key: shop }\nflags: [{ key: a, type: BOOLEAN_FLAG_TYPE }]"
  const bare = "namespace: billing\nsegments: []"
  const { places, remarks } = await read(flipt, [empty, full, bare].join("\n---\n"))
  expect([places, remarks]).toEqual([[["shop/a", "5 /flags/0"]], []])
})
