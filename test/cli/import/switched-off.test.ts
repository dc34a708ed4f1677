import { describe, expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import { flipt } from "../../../cli/import/flipt.ts"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { importTexts } from "./import-text.ts"

const cases = [
  [
    flagd,
    `flags:
  a:
    state: DISABLED
    variants: { red: r, green: g }
    defaultVariant: red
    targeting: { if: [{ "===": [{ var: plan }, pro] }, green] }`,
  ],
  [
    goff,
    `a:
  disable: true
  variations: { red: r, green: g }
  targeting: [{ query: plan eq "pro", variation: green }]
  defaultRule: { variation: red }`,
  ],
] as const

test.each(cases)(
  "a flag of $title that is off keeps all its rules, and the proof tries them",
  async (tool, text) => {
    const file = { path: "a.yaml", text, environment: undefined }
    const found = await importTexts(tool, [file], { accept: ["import-caller-default"] })
    expect(found.tally.contexts).toBeGreaterThan(5)
    const losses = found.results.flatMap(({ losses }) => losses.map(({ code }) => code))
    expect(losses.filter((code) => code === "import-disproved")).toEqual([])
    const [written] = found.sources.filter(({ path }) => path.endsWith("/a.yaml"))
    expect(written?.text).toContain("enabled: false\n")
    expect(written?.text).toContain("returnValue: g")
    const switchedOn = written?.text.replace("enabled: false", "enabled: true") ?? ""
    const [red, green] = await Promise.all(
      [{ plan: "free" }, { plan: "pro" }].map(async (context) =>
        (await found.evaluatorOf("production", switchedOn)).evaluate("a", context),
      ),
    )
    if (tool !== flipt) expect(red).toMatchObject({ value: "r" })
    expect(green).toMatchObject({ value: "g" })
  },
)

describe("a flag of LaunchDarkly that is off and returns the caller's default", () => {
  const textWith = (op: string) =>
    JSON.stringify({
      flags: {
        a: {
          ...{ on: false, variations: [true, false], fallthrough: { variation: 1 } },
          rules: [{ variation: 0, clauses: [{ attribute: "plan", op, values: ["pro"] }] }],
        },
      },
    })
  const tried = async (op: string, accept: readonly string[]) => {
    const file = { path: "a.json", text: textWith(op), environment: undefined }
    const { results, sources, remarks } = await importTexts(launchDarkly, [file], { accept })
    return {
      losses: results.flatMap(({ losses }) => losses.map(({ code }) => code)),
      leavesRulesOut: remarks.some(({ text }) => text.includes("it is off, and its rules are left out")),
      written: sources.find(({ path }) => path.endsWith("/a.yaml"))?.text,
    }
  }

  test("needs it also if its rules cannot be expressed, and is written without them", async () => {
    expect(await tried("unheardOf", [])).toEqual({
      losses: ["import-caller-default"],
      leavesRulesOut: true,
      written: undefined,
    })
    const { written } = await tried("unheardOf", ["import-caller-default"])
    expect(written).toContain("enabled: false")
    expect(written).not.toContain("rules")
  })
})
