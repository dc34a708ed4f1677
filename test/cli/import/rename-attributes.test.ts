import { expect, test } from "vitest"
import { flipt } from "../../../cli/import/flipt.ts"
import type { ReadOptions, Tool } from "../../../cli/import/form/tool.ts"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { renameAttributes } from "../../../cli/import/rename-attributes.ts"
import { unleash } from "../../../cli/import/unleash.ts"
import { importTexts, valuesOf } from "./import-text.ts"

/** The tool with attributes renamed, as if it were one of its own. */
const renaming = (tool: Tool, ...names: readonly (readonly [string, string])[]): Tool => {
  const rename = (documents: Parameters<Tool["read"]>[0], options: ReadOptions) =>
    renameAttributes({ read: tool.read(documents, options), tool }, new Map(names))
  const required = tool.required.map((name) => new Map(names).get(name) ?? name)
  return { ...tool, required, read: (...given) => rename(...given).read }
}

const launchDarklyFlags = {
  flags: {
    a: {
      ...{ key: "a", on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } },
      targets: [{ values: ["ann"], variation: 0 }],
      rules: [{ variation: 0, clauses: [{ attribute: "", op: "segmentMatch", values: ["s"] }] }],
    },
    b: {
      ...{ key: "b", on: true, variations: [true, false], offVariation: 1 },
      fallthrough: {
        rollout: { variations: [30_000, 70_000].map((weight, variation) => ({ weight, variation })) },
      },
    },
  },
  segments: { s: { key: "s", included: ["bob"], excluded: [], rules: [] } },
}
const isEntity = { type: "ENTITY_ID_COMPARISON_TYPE", operator: "eq", value: "ann" }
const fliptFlags = {
  flags: [
    {
      ...{ key: "a", type: "BOOLEAN_FLAG_TYPE", enabled: false },
      rollouts: [{ segment: { key: "s", value: true } }],
    },
    {
      key: "b",
      type: "BOOLEAN_FLAG_TYPE",
      enabled: false,
      rollouts: [{ threshold: { percentage: 30, value: true } }],
    },
  ],
  segments: [{ key: "s", constraints: [isEntity] }],
}
const unleashFlags = {
  features: [
    { name: "a", enabled: true, strategies: [{ name: "userWithId", parameters: { userIds: "ann, bob" } }] },
    {
      ...{ name: "b", enabled: true },
      strategies: [{ name: "flexibleRollout", parameters: { rollout: "30", stickiness: "userId" } }],
    },
  ],
}

test.each([
  { tool: launchDarkly, theirs: "key", flags: launchDarklyFlags },
  { tool: flipt, theirs: "entityId", flags: fliptFlags },
  { tool: unleash, theirs: "userId", flags: unleashFlags },
])(
  "$tool.title compares $theirs, and after the import targetingKey, under the proof",
  async ({ tool, theirs, flags }) => {
    const renamed = renaming(tool, [theirs, "targetingKey"])
    const found = await importTexts(renamed, [
      { path: "a.json", text: JSON.stringify(flags), environment: undefined },
    ])
    expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact", "rebucketed"])
    expect(found.tally).toMatchObject({ differing: 0, withShares: 1, sharesCompared: 1 })
    expect(found.tally.contexts).toBeGreaterThan(10)
    const written = found.sources.map(({ text }) => text).join("")
    expect(new Set(written.match(/(?<=\b(?:attribute|by): )\w+/g))).toEqual(new Set(["targetingKey"]))
    const contexts = [{ targetingKey: "ann" }, { targetingKey: "x" }, { targetingKey: "x", [theirs]: "ann" }]
    expect(await valuesOf(renamed, found, contexts)).toEqual([true, false, false])
  },
)

test("a ramp is by the new name", async () => {
  const step = (day: number, on: number) => ({
    ...{ date: `2026-12-0${day}T09:00:00Z`, defaultRule: { percentage: { on, off: 100 - on } } },
  })
  const flag = { variations: { on: true, off: false }, defaultRule: { variation: "off" } }
  const text = JSON.stringify({ a: { ...flag, scheduledRollout: [step(1, 5), step(2, 50)] } })
  const found = await importTexts(
    renaming(goff, ["targetingKey", "userId"]),
    [{ path: "a.json", text, environment: undefined }],
    { accept: ["import-clock"] },
  )
  expect(found.tally).toMatchObject({ differing: 0, sharesCompared: 1 })
  expect(found.sources[0]?.text).toContain("- ramp:\n          by: userId\n")
  await expect(
    importTexts(renaming(goff, ["now", "time"]), [{ path: "a.json", text, environment: undefined }]),
  ).rejects.toThrow("--rename now=time: `clock:` in project.yaml names the attribute of the time")
})

const query = (text: string) => ({
  a: {
    variations: { on: true, off: false },
    targeting: [{ query: text, variation: "on" }],
    defaultRule: { variation: "off" },
  },
})

test.each([
  ['p eq "a" and q eq "b"', [["p", "q"]], "--rename p=q: another attribute is called q, too"],
] as const)("of %s, %j is refused", async (text, names, said) => {
  const file = { path: "a.json", text: JSON.stringify(query(text)), environment: undefined }
  await expect(importTexts(renaming(goff, ...names), [file])).rejects.toThrow(said)
})
