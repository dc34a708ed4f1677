import { expect, test } from "vitest"
import { readDocuments } from "../../../cli/import/form/read-file.ts"
import { tools } from "../../../cli/import/tools.ts"

const flag = { state: "ENABLED", variants: { on: true } }
const rollout = { on: true, fallthrough: { variation: 0 } }

/** A document, and the tools whose documents it may be. */
test.each([
  [{ flags: { a: { state: "ENABLED" } } }, ["flagd"]],
  [{ flags: { a: { defaultVariant: "on" } } }, ["flagd"]],
  [{ flags: { a: {}, b: flag } }, ["flagd"]],
  [{ spec: { flagSpec: { flags: { a: flag } } } }, ["flagd"]],
  [{ spec: { featureFlagSpec: { flags: { a: flag } } } }, ["flagd"]],
  [{ spec: { flags: { a: flag } } }, ["flagd"]],
  [{ flags: { a: rollout } }, ["launchdarkly"]],
  [{ data: { flags: { a: rollout } } }, ["launchdarkly"]],
  [{ flagValues: { a: true } }, ["launchdarkly"]],
  [{ items: [{ key: "a" }, { environments: {}, variations: [] }] }, ["launchdarkly"]],
  [[{ environments: {}, variations: [] }], ["launchdarkly"]],
  [[{ key: "s", included: [] }], ["launchdarkly"]],
  [{ items: [{ key: "s", unbounded: true }] }, ["launchdarkly"]],
  [{ items: [{ environments: {} }, { variations: [] }] }, []],
  [{ features: [{}, { name: "a" }] }, ["unleash"]],
  [{ segments: [{}, { id: 1 }] }, ["unleash"]],
  [{ a: {}, b: { variations: {}, defaultRule: {} } }, ["goff"]],
  [{ a: { true: 1, false: 2 } }, ["goff"]],
  [{ a: { true: 1, defaultRule: {} }, b: { false: 1, variations: {} } }, []],
  [{ flags: [{}, { key: "a", enabled: false }] }, ["flipt"]],
  [{ flags: [{ key: "a", rollouts: [] }] }, ["flipt"]],
  [{ flags: [{ key: "a", name: "A", default: true }] }, []],
  [{ namespace: "shop" }, ["flipt"]],
  [{ namespace: { key: "shop" } }, ["flipt"]],
  [{ flags: [{}] }, []],
  [{ flags: { a: {} } }, []],
])("%j is a document of %j", async (document, expected) => {
  const file = { path: "a.json", text: JSON.stringify(document), environment: undefined }
  const [root] = readDocuments(file)
  const found = await Promise.all(
    Object.entries(tools).map(async ([name, load]) => {
      const { recognizes } = await load()
      return root !== undefined && recognizes(root) ? [name] : []
    }),
  )
  expect(found.flat()).toEqual(expected)
})
