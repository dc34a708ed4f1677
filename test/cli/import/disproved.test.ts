import { expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { importTexts, replaceAttributes } from "./import-text.ts"

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
  const confused = replaceAttributes(flagd, (own) => (own === value ? other : own))
  expect(await codes(confused)).toContain("import-disproved")
})
