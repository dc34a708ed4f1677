import { expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import { goff } from "../../../cli/import/goff.ts"
import { importTexts } from "./import-text.ts"

const fileOf = (content: object) => ({
  path: "a.json",
  text: JSON.stringify(content),
  environment: "production",
})

test.each([
  [[1, "a"], "json"],
  [[1, 2], "number"],
  [["a", "b"], "string"],
  [[true, "a"], "json"],
  [[{}, []], "json"],
])("variants %j give a flag of type %s", async ([on, off], type) => {
  const flag = { variations: { on, off }, targeting: [{ query: 'p eq "x"', variation: "on" }] }
  const found = await importTexts(goff, [fileOf({ a: { ...flag, defaultRule: { variation: "off" } } })])
  expect(found.sources[0]?.text).toMatch(new RegExp(`^type: ${type}$`, "m"))
})

const targeting = (...cases: readonly unknown[]) => ({
  flags: {
    a: {
      ...{ state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off" },
      targeting: { if: cases },
    },
  },
})
const isPlan = (plan: string) => ({ "===": [{ var: "plan" }, plan] })
const isCountry = (country: string) => ({ "===": [{ var: "country" }, country] })

test.each([
  [
    "last rule gives the default",
    [isPlan("a"), "on", isPlan("b"), "off", "off"],
    ["a"],
    "a rule that changes nothing is left out",
  ],
  [
    "rule is reached by no one",
    [isPlan("a"), "off", { and: [isPlan("a"), isCountry("de")] }, "on", isPlan("b"), "on", "off"],
    ["a", "b"],
    "a rule that no one reaches is left out",
  ],
  [
    "rule appears twice",
    [isPlan("a"), "on", isCountry("de"), "off", isPlan("a"), "on", isPlan("b"), "on", "off"],
    ["a", "de", "b"],
    undefined,
  ],
])("a flag whose %s is written without it", async (_, cases, kept, remark) => {
  const found = await importTexts(flagd, [fileOf(targeting(...cases))])
  const written = [...(found.sources[0]?.text ?? "").matchAll(/value: (\S+)$/gm)].map(([, value]) => value)
  expect(written.filter((value) => value !== "true" && value !== "false")).toEqual(kept)
  if (remark !== undefined) expect(found.remarks.map(({ text }) => text)).toContain(remark)
  expect(found.results.map(({ verdict }) => verdict)).toEqual(["exact"])
})

test.each(["~", "^", "=", "!=", ">=", "<"])(
  "the operator %s of versions is read, and nothing beside it",
  async (operator) => {
    const codesOf = async (name: string) =>
      (
        await importTexts(flagd, [fileOf(targeting({ sem_ver: [{ var: "v" }, name, "1.2.3"] }, "on", "off"))])
      ).results
        .flatMap(({ losses }) => losses.map(({ code }) => code))
        .filter((code) => code === "import-logic")
    expect(await codesOf(operator)).toEqual([])
    expect(await codesOf(`x${operator}`)).toEqual(["import-logic"])
    expect(await codesOf(`${operator}x`)).toEqual(["import-logic"])
  },
)
