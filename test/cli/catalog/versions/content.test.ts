import fc from "fast-check"
import { expect, test } from "vitest"
import { contentText, idOf, readContent, valueText } from "../../../../cli/catalog/versions/content.ts"

/** Texts with what is looked for in them. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom(',"enabled":', ',"type":', ',"flagId":', '"', "\\", ",", "\n", "\ud800", "x"))
    .map((parts) => parts.join("")),
)
const member = fc.oneof(text, fc.constantFrom("enabled", "type", "flagId"))
const rule = fc.record({
  ...{ id: text, attribute: text, operator: text, value: text },
  returnValue: fc.oneof(text, fc.dictionary(member, text)),
})

test("finds what a configuration says and its id, whatever texts are in it", () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.boolean(),
      fc.array(rule),
      (id, flagId, environmentId, enabled, rules) => {
        const json = JSON.stringify({ id, flagId, environmentId, enabled, rules })
        const written = JSON.parse(json) // a lone surrogate in a name of a member comes back as it was
        expect(readContent(contentText(json))).toEqual({ enabled, rules: written.rules })
        expect(idOf(json)).toBe(id)
      },
    ),
  )
})

test("finds what a flag's value is, whatever texts are in it", () => {
  fc.assert(
    fc.property(text, text, text, text, text, (id, projectId, key, name, description) => {
      const value = { type: "json", defaultValue: { [name]: key, type: key } }
      const flag = JSON.stringify({ id, projectId, key, name, description, ...value })
      expect(valueText(flag)).toBe(`,${JSON.stringify(value).slice(1)}`)
    }),
  )
})
