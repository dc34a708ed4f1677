import { expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts, untidy } from "./import-text.ts"

const plan = { var: "plan" }
const isPro = { "===": [plan, "pro"] }

async function written(flag: object, accept: readonly string[] = []) {
  const a = { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off", ...flag }
  const file = { path: "a.json", text: JSON.stringify({ flags: { a } }), environment: "production" }
  const found = await importTexts(flagd, [file], { accept })
  expect(untidy(found)).toEqual([])
  return found.sources.at(-1)?.text
}

test.each([
  [{}, "production: { enabled: false }"],
  [
    { defaultVariant: "on" },
    "production: { enabled: true, rules: [{ operator: always, returnValue: true }] }",
  ],
  [
    { defaultVariant: "on", targeting: { if: [isPro, "off"] } },
    "- operator: always\n        returnValue: true",
  ],
])("what everyone gets is written so that the switch works: %j", async (flag, text) => {
  expect(await written(flag)).toContain(text)
})

const about = (name: string, value: string) => ({ metadata: { [name]: value } })
test.each([
  [about("description", " What it does "), 'description: "What it does"\n'],
  [
    about(
      "description",
      "A first line that is long enough for the whole width of a file, with more.\n\nA third.",
    ),
    "description: |-\n  A first line that is long enough for the whole width of a file, with more.\n\n  A third.\n",
  ],
  [about("description", "A\n b"), 'description: "A\\n b"\n'],
  [about("owner", "web"), "owner: web\n"],
  [{ metadata: { tags: ["a", "b", "a"] } }, "tags: [a, b]\n"],
  [{ variants: { red: "r", green: "g" }, defaultVariant: "red" }, '# Variations: red = "r", green = "g"\n'],
  [{ variants: { r: "r", g: "g" }, defaultVariant: "r" }, ""],
  [{ variants: { red: "r" }, defaultVariant: "red" }, ""],
])("what is known of a flag is written: %j", async (flag, text) => {
  const found = (await written(flag)) ?? ""
  if (text === "") expect(found).not.toContain("#")
  else expect(found).toContain(text)
})

test("what was accepted is written beside the flag", async () => {
  expect(await written({ state: "DISABLED" }, ["import-caller-default"])).toMatch(
    /^# Variations: .*\n# Accepted in production: when disabled, it returns the caller's default\n/,
  )
  expect(await written({ targeting: { if: [{ "==": [plan, "5"] }, "on"] } })).not.toContain("# Accepted")
})

/** The off values of a flag in its environments, and what is written as its default, and where a rule stands for it. */
test.each([
  [[0, 0, 1], "x", ["c"]],
  [[1, 0, 1], "y", ["b"]],
  [[0, 1], "x", ["b"]],
  [[2, 2], "z", []],
])("of the off values %j, the most frequent one is the default", async (offs, usual, ruled) => {
  const environments = Object.fromEntries(
    offs.map((offVariation, at) => ["abc"[at], { on: false, offVariation, fallthrough: { variation: 0 } }]),
  )
  const variations = ["x", "y", "z"].map((value) => ({ value }))
  const text = JSON.stringify({ items: [{ key: "a", variations, environments }] })
  const { sources, results } = await importTexts(launchDarkly, [
    { path: "a.json", text, environment: undefined },
  ])
  expect(results.map(({ verdict }) => verdict)).toEqual(offs.map(() => "exact"))
  expect(sources[0]?.text).toContain(`\ndefaultValue: ${/[y]/.test(usual) ? '"y"' : usual}\n`)
  const enabled = [...(sources[0]?.text ?? "").matchAll(/^ {2}(\w): \{ enabled: true/gm)].map(
    ([, name]) => name,
  )
  expect(enabled).toEqual(ruled)
})
