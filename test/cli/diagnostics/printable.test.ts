// @module-tag system
import { describe, expect, test } from "vitest"
import { printable, printableJson } from "../../../cli/diagnostics/printable.ts"
import { createProjectRepository } from "../../repository.ts"

/** Characters that draw nothing or a wrong blank, move the cursor or reverse the writing direction, by Unicode's properties. */
const harmful = /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/** One of each kind that YAML takes unescaped. */
const characters = [
  ..."\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2064\u2066\u2069\u206f",
  ..."\u00a0\u2009\u3000\u3164\ufe0f\ufeff\uffa0\ufff9\u{1d173}\u{e0001}\u{e0041}\u{e0100}",
]

/** Those that lint does not refuse in an attribute or a value. */
const allowed = characters.filter(
  (character) => !/[\u00a0\u00ad\u2009\u200b-\u200d\u2060\u3000\ufeff]/.test(character),
)

describe("a flag file full of harmful characters", async () => {
  const repository = createProjectRepository()
  const text = (name: string, value: string, description = value) => `defaultValue: false
description: ${description}
environments:
  staging:
    enabled: true
    rules: [{ attribute: ${value}, operator: equals, value: ${value}, returnValue: true }]
${name}`
  repository.commitFlags({ one: true })
  repository.write("flags/two.yaml", text("", "plain"))
  repository.commit(10)
  const quoted = (list: readonly string[]) => `"x${list.join("y")}z\\u009b\\u001b\\u2028"`
  repository.write("flags/two.yaml", text("", quoted(allowed), quoted(characters)))

  test.each(["text", "markdown", "json"])("diff --format %s prints none of them", async (format) => {
    const { status, out, err } = await repository.flagstone(["diff", "--format", format])
    expect({ status, err }).toEqual({ status: 0, err: "" })
    expect(out).toContain("061c")
    expect(out.replaceAll("\n", "")).not.toMatch(harmful)
  })

  test.each(["text", "json", "github", "gitlab", "sarif"])(
    "lint --format %s prints none of them",
    async (format) => {
      const wrong = createProjectRepository()
      wrong.write("flags/two.yaml", text(`"${characters.join("y")}": true\n`, "plain"))
      const { status, out } = await wrong.flagstone(["lint", "--format", format])
      expect(status).toBe(1)
      expect(out).toContain("061c")
      expect(out.replaceAll("\n", "")).not.toMatch(harmful)
    },
  )
})

test.each([
  ["a\u061cb", "a\\u061cb"],
  ["a\u{e0041}b", "a\\u{e0041}b"],
  ["a\tb\nc", "a b\\u000ac"],
  ["a b\u00a0c\u2009d\u202fe\u3000f", "a b\\u00a0c\\u2009d\\u202fe\\u3000f"],
  ["naïve Ελληνικά 日本語 עברית", "naïve Ελληνικά 日本語 עברית"],
  ["❤️ 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️ 👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["a\ufe0f👩\u200da", "a\\ufe0f👩\\u200da"],
])("printable(%j)", (text, shown) => expect(printable(text)).toBe(shown))

test("JSON keeps its value", () => {
  const value = { text: `x${characters.join("y")}\u009b\n❤️` }
  const json = printableJson(JSON.stringify(value, null, 2))
  expect(JSON.parse(json)).toEqual(value)
  expect(json.replace("❤️", "").replaceAll("\n", "")).not.toMatch(harmful)
})
