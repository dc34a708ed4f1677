import { expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { importTexts } from "./import-text.ts"

/** A reader with a fault: the tool decides for one value as it should for another. */
function confuse(tool: Tool, value: unknown, other: unknown): Tool {
  return {
    ...tool,
    read(documents, options) {
      const read = tool.read(documents, options)
      const flags = read.flags.map((flag) => ({
        ...flag,
        configurations: flag.configurations.map((one) => ({
          ...one,
          meaning: ((attributes, bucket, isOn) =>
            one.meaning(
              (name) => (attributes(name) === value ? other : attributes(name)),
              bucket,
              isOn,
            )) satisfies typeof one.meaning,
        })),
      }))
      return { ...read, flags }
    },
  }
}

test.each([
  ["the bound of a number", `{ "<": [{ var: x }, 5] }`, 5, 4],
  ["a text", `{ "===": [{ var: x }, pro] }`, "pro", "free"],
  ["the bound of a version", `{ sem_ver: [{ var: x }, ">=", 1.2.0] }`, "1.2.0", "1.1.0"],
])("the proof finds that %s is decided differently", async (_, condition, value, other) => {
  const text = `flags:
  a:
    state: ENABLED
    variants: { "on": true, "off": false }
    defaultVariant: "off"
    targeting: { if: [${condition}, "on"] }`
  const file = { path: "a.yaml", text, environment: "production" }
  const codes = async (tool: Tool) =>
    (await importTexts(tool, [file])).results.flatMap(({ losses }) => losses.map(({ code }) => code))
  expect(await codes(flagd)).not.toContain("import-disproved")
  expect(await codes(confuse(flagd, value, other))).toContain("import-disproved")
})
