import { expect, test } from "vitest"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts, lossesIn, valuesOf } from "./import-text.ts"

const base = { on: true, variations: ["x", "y", "z"], offVariation: 2, fallthrough: { variation: 1 } }

async function importing(a: object, others: object = {}) {
  const text = JSON.stringify({ flags: { a: { ...base, ...a }, ...others } })
  const found = await importTexts(launchDarkly, [{ path: "a.json", text, environment: undefined }])
  const remarks = found.remarks.map(
    ({ text, detail }) => `${text}${detail ? `: ${plainPhrase(detail)}` : ""}`,
  )
  const file = found.sources.find(({ path }) => path === "/flags/a.yaml")
  return {
    ...found,
    remarks: remarks.map((one) => one.replaceAll("`", "")),
    losses: lossesIn(found),
    written: file?.text,
  }
}

const weights = (...all: readonly number[]) => all.map((weight, variation) => ({ variation, weight }))
const rollout = (more: object, ...all: readonly number[]) => ({
  fallthrough: { rollout: { variations: weights(...all), ...more } },
})
const rebucketed = (by: string) => `import-share-rebucketed: shares by ${by}`
const rest = "weights add up to less than 100 %, and the last variation gets the rest"

test.each([
  [rollout({}, 12_345, 87_655), ["share: 12.345", "share: 87.655"], [rebucketed("key")], []],
  [rollout({}, 20_000, 30_000), ["share: 20", "share: 80"], [rebucketed("key")], [`${rest}: 50 %`]],
  [rollout({ bucketBy: "team" }, 20_000, 80_000), ["share: 20", "share: 80"], [rebucketed("team")], []],
  [
    rollout({ bucketBy: "/team", contextKind: "user" }, 20_000, 80_000),
    ["share: 20", "share: 80"],
    [rebucketed("team")],
    [],
  ],
])("the rollout %j is written with its shares", async (a, shares, losses, remarks) => {
  const found = await importing(a)
  expect(found.losses.filter((one) => !one.startsWith("import-context-"))).toEqual(losses)
  expect(found.remarks).toEqual(remarks)
  expect(found.written?.match(/share: [\d.]+/g)).toEqual(shares)
})

test.each([
  [{ targets: [{ values: ["ann"], variation: 0 }] }, { key: "ann" }, "x"],
  [
    {
      targets: [{ values: ["ann"], variation: 0 }],
      contextTargets: [{ contextKind: "user", values: [], variation: 0 }],
    },
    { key: "ann" },
    "x",
  ],
  [
    {
      targets: [{ values: ["ann"], variation: 0 }],
      contextTargets: [{ contextKind: "user", values: [], variation: 2 }],
    },
    { key: "ann" },
    "y",
  ],
])("%j gives %j the variation %s on both sides", async (a, context, value) => {
  const found = await importing(a)
  expect(found.losses).toEqual([])
  expect(await valuesOf(launchDarkly, found, [{ ...context }])).toEqual([value])
})

test.each([
  [rollout({}), "import-malformed: a rollout without variations"],
  [rollout({}, 60_000, 60_000), "import-malformed: weights of more than 100 %"],
  [{ fallthrough: { variation: 9 } }, "import-malformed: a variation that the flag does not have"],
  [{ fallthrough: undefined }, "import-malformed: no fallthrough"],
  [
    { fallthrough: { rollout: { contextKind: "device", variations: weights(1, 1) } } },
    "import-context-kind: the context kind device",
  ],
  [
    { contextTargets: [{ contextKind: "device", values: ["d"], variation: 0 }] },
    "import-context-kind: the context kind device",
  ],
  [{ offVariation: null, on: false }, "import-caller-default: when off, it returns the caller's default"],
  [
    { offVariation: null, prerequisites: [{ key: "b", variation: 0 }] },
    "import-caller-default: when off, it returns the caller's default",
  ],
])("of %j it is said: %s", async (a, said) => {
  const found = await importing(a, { b: { ...base, fallthrough: { variation: 0 } } })
  expect(found.losses).toContain(said)
  expect(found.written).toBeUndefined()
})

test("an off variation that no one gets may be missing", async () => {
  expect((await importing({ offVariation: null })).losses).toEqual([])
})

test("a user who is targeted twice gets the first target, and is named", async () => {
  const targets = [
    { values: ["ann", "bob"], variation: 0 },
    { values: ["bob"], variation: 2 },
  ]
  const found = await importing({ targets })
  expect(found.remarks).toContain("a user is targeted twice, and the first target counts: bob")
  expect(found.remarks.join()).not.toContain("ann")
  expect(await valuesOf(launchDarkly, found, [{ key: "bob" }])).toEqual(["x"])
})

test.each([
  ["is on and gives another value", base, "z", ["it depends on a value that another flag never returns: b"]],
  [
    "is off and has no off variation",
    { ...base, on: false, offVariation: null },
    "z",
    ["it depends on a value that another flag never returns: b"],
  ],
])("a prerequisite that %s decides on both sides", async (_, b, value, remarks) => {
  const found = await importing({ prerequisites: [{ key: "b", variation: 0 }] }, { b })
  expect(await valuesOf(launchDarkly, found, [{ key: "u" }])).toEqual([value])
  expect(found.remarks.filter((one) => one.includes("depends on a value"))).toEqual(remarks)
})
