import { describe, expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import type { Bucket, Configuration, Imported } from "../../../cli/import/form/form.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts } from "./import-text.ts"

/** What the proof disproves, by flag and environment. */
async function disproved(
  tool: Tool,
  ...files: readonly (readonly [string, object])[]
): Promise<readonly string[]> {
  const { results } = await importTexts(
    tool,
    files.map(([environment, content]) => ({
      path: `${environment}.json`,
      text: JSON.stringify(content),
      environment,
    })),
  )
  return results.flatMap(({ flag, environment, losses }) =>
    losses.some(({ code }) => code === "import-disproved") ? [`${flag} in ${environment}`] : [],
  )
}

/** The tool with other configurations than it reads. */
function withMeaning(tool: Tool, change: (one: Configuration) => Configuration["meaning"]): Tool {
  return {
    ...tool,
    read(documents, options): Imported {
      const read = tool.read(documents, options)
      const flags = read.flags.map((flag) => ({
        ...flag,
        configurations: flag.configurations.map((one) => ({ ...one, meaning: change(one) })),
      }))
      return { ...read, flags }
    },
  }
}

/** The hash with its users moved down by a fraction of all. */
const moved =
  (hash: Bucket, by: number): Bucket =>
  (seed, text) =>
    Math.max(0, hash(seed, text) - by)

const shared = (condition?: object, percent = 30) => {
  const share = {
    fractional: [
      ["on", percent],
      ["off", 100 - percent],
    ],
  }
  return {
    flags: {
      a: {
        ...{ state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off" },
        targeting: condition === undefined ? share : { if: [condition, share, "off"] },
      },
    },
  }
}

describe("a hash that is wrong", () => {
  test.each([
    [0.05, ["a in production"]],
    [0.01, []],
    [0, []],
  ])("by %d is disproved: %j", async (by, expected) => {
    const lying = { ...flagd, hash: moved(flagd.hash, by) }
    expect(await disproved(lying, ["production", shared()])).toEqual(expected)
  })

  test.each([
    ["that the ids do not have by chance", { "===": [{ var: "plan" }, "pro"] }],
    ["about another attribute that is missing", { "!==": [{ var: "plan" }, "pro"] }],
  ])("is disproved beside a condition %s", async (_, condition) => {
    const lying = { ...flagd, hash: moved(flagd.hash, 0.05) }
    expect(await disproved(lying, ["production", shared(condition)])).toEqual(["a in production"])
    expect(await disproved(flagd, ["production", shared(condition)])).toEqual([])
  })

  test("is disproved in each environment, though the rules are the same", async () => {
    const lying = { ...flagd, hash: moved(flagd.hash, 0.05) }
    expect(await disproved(lying, ["test", shared()], ["production", shared()])).toEqual([
      "a in test",
      "a in production",
    ])
  })
})

const rule = (query: string) => ({
  a: {
    variations: { on: true, off: false },
    targeting: [{ query, variation: "on" }],
    defaultRule: { variation: "off" },
  },
})

describe("a ramp that is wrong", () => {
  const stages = {
    "2026-12-01T09:00:00.000Z": 5,
    "2026-12-02T09:00:00.000Z": 50,
    "2026-12-05T09:00:00.000Z": 90,
  }
  const ramp = {
    a: {
      ...{ variations: { on: true, off: false }, defaultRule: { variation: "off" } },
      scheduledRollout: Object.entries(stages).map(([date, on]) => ({
        ...{ date, defaultRule: { percentage: { on, off: 100 - on } } },
      })),
    },
  }
  const file = { path: "a.json", text: JSON.stringify(ramp), environment: undefined }
  const verdictsBy = async (tool: Tool) =>
    (await importTexts(tool, [file], { accept: ["import-clock"] })).results.map(({ open }) => open)

  test.each(Object.keys(stages))("at %s by a millisecond differs", async (at) => {
    const late = withMeaning(goff, ({ meaning }) => (attributes, ...others) => {
      const before = new Date(Date.parse(at) - 1).toISOString()
      return meaning((name) => (attributes(name) === at ? before : attributes(name)), ...others)
    })
    expect(await verdictsBy(goff)).toEqual(["rebucketed"])
    expect(await verdictsBy(late)).not.toEqual(["rebucketed"])
  })

  test("for many users in its last stage alone is disproved", async () => {
    const hash: Bucket = (seed, text) => (goff.hash(seed, text) > 0.6 ? 0.95 : goff.hash(seed, text))
    expect(await verdictsBy({ ...goff, hash })).toEqual(["cannot"])
  })
})

describe("a tool that decides otherwise is disproved", () => {
  test.each([
    [
      "a bound that is off by one",
      "seats gt 10",
      (value: unknown) => (typeof value === "number" ? value - 1 : value),
    ],
    ["a bound in whole numbers", "seats ge 10", (value: unknown) => (value === 10 ? 9 : value)],
    [
      "a case that is folded",
      'plan in ["Pro", "Team"]',
      (value: unknown) => (value === "PRO" ? "Pro" : value),
    ],
    ["a case that is not folded", 'plan eq "pro"', (value: unknown) => (value === "PRO" ? "?" : value)],
    ["a value beside the text", 'plan sw "pro"', (value: unknown) => (value === "xpro" ? "pro" : value)],
    [
      "the last of many values",
      `plan in [${Array.from({ length: 40 }, (_, at) => `"p${at}"`)}]`,
      (value: unknown) => (value === "p39" ? "?" : value),
    ],
  ])("%s", async (_, query, change) => {
    const lying = withMeaning(
      goff,
      (one) =>
        (attributes, ...others) =>
          one.meaning(
            (name) => (name === "targetingKey" ? attributes(name) : change(attributes(name))),
            ...others,
          ),
    )
    expect(await disproved(goff, ["production", rule(query)])).toEqual([])
    expect(await disproved(lying, ["production", rule(query)])).toEqual(["a in production"])
  })

  test("only in the second environment", async () => {
    const lying = withMeaning(
      goff,
      (one) =>
        (attributes, ...others) =>
          one.meaning(
            (name) =>
              one.environment === "production" && attributes(name) === "pro" ? "?" : attributes(name),
            ...others,
          ),
    )
    const file = rule('plan eq "pro"')
    expect(await disproved(lying, ["test", file], ["production", file])).toEqual(["a in production"])
  })

  test("only while it is off", async () => {
    const flag = {
      ...{ on: false, variations: [true, false], offVariation: 1, fallthrough: { variation: 0 } },
      rules: [{ variation: 1, clauses: [{ attribute: "plan", op: "in", values: ["pro"] }] }],
    }
    const lying = withMeaning(
      launchDarkly,
      (one) => (attributes, bucket, isOn) =>
        isOn ? one.meaning(attributes, bucket, isOn) : { kind: "value", value: true },
    )
    expect(await disproved(launchDarkly, ["production", { flags: { a: flag } }])).toEqual([])
    expect(await disproved(lying, ["production", { flags: { a: flag } }])).toEqual(["a in production"])
  })

  test.each([
    '(country eq "de" or seats eq 11) and plan eq "pro"',
    '(beta eq "yes" or (country eq "de" or seats eq 11)) and plan eq "pro"',
    'plan eq "pro" and (beta eq "yes" or (seats eq 11 and country pr))',
    'beta eq "yes" or (plan eq "pro" and (seats eq 11 or country eq "de"))',
  ])("only for who is in one branch of an or: %s", async (query) => {
    const lying = withMeaning(
      goff,
      (one) =>
        (attributes, ...others) =>
          one.meaning(
            (name) =>
              name === "seats" && attributes("country") !== "de" && attributes(name) === 11
                ? 0
                : attributes(name),
            ...others,
          ),
    )
    expect(await disproved(goff, ["production", rule(query)])).toEqual([])
    expect(await disproved(lying, ["production", rule(query)])).toEqual(["a in production"])
  })
})

test("honest rules are not disproved by two attributes of other types beside a missing one", async () => {
  const queries = { "appVersion lt 1.2.3": "a", 'country eq "DE"': "b", "age le 18": "d" }
  const flag = {
    variations: { a: "a", b: "b", c: "c", d: "d" },
    targeting: Object.entries(queries).map(([query, variation]) => ({ query, variation })),
    defaultRule: { variation: "c" },
  }
  expect(await disproved(goff, ["production", { flag }])).toEqual([])
})
