import { expect, test } from "vitest"
import { flagd } from "../../../cli/import/flagd.ts"
import { importTexts, untidy } from "./import-text.ts"

async function written(flag: object, accept: readonly string[] = []) {
  const a = { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off", ...flag }
  const file = { path: "a.json", text: JSON.stringify({ flags: { a } }), environment: "production" }
  const found = await importTexts(flagd, [file], { accept })
  expect(untidy(found)).toEqual([])
  return found.sources.at(-1)?.text
}

const about = (name: string, value: string) => ({ metadata: { [name]: value } })
test.each([
  [
    about(
      "description",
      "A first line that is long enough for the whole width of a file, with more.\n\nA third.",
    ),
    "description: |-\n  A first line that is long enough for the whole width of a file, with more.\n\n  A third.\n",
  ],
  [about("description", "A\n b"), 'description: "A\\n b"\n'],
])("what is known of a flag is written: %j", async (flag, text) => {
  const found = (await written(flag)) ?? ""
  if (text === "") expect(found).not.toContain("#")
  else expect(found).toContain(text)
})

test.each([
  [{ r: "red", g: "green" }, 'type: string\ndefaultValue: ""\n'],
  [{ few: 1, many: 2 }, "type: number\ndefaultValue: 0\n"],
  [{ a: { b: 1 } }, "type: json\ndefaultValue: {}\n"],
  [{ on: true, off: false }, "\ndefaultValue: false\n"],
])(
  "a flag that returns only the caller's default has the type of its variations: %j",
  async (variants, text) => {
    for (const state of ["ENABLED", "DISABLED"])
      expect(await written({ state, variants, defaultVariant: null }, ["import-caller-default"])).toContain(
        text,
      )
  },
)
