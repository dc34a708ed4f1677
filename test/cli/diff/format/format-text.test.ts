import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { formatText } from "../../../../cli/diff/format/format-text.ts"
import { sideOf } from "../sides.ts"
import { after, before, compared, hostile, large, sideWith } from "./compared.ts"

test("a terminal's text", async () => {
  const text = formatText(compared(before, after))
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "expected.txt"))
})

test("a large diff begins with the flags by risk", async () => {
  const text = formatText(compared(large("before"), large("after")))
  await expect(text.slice(0, text.indexOf("\nproduction (protected)"))).toMatchFileSnapshot(
    join(import.meta.dirname, "expected-large.txt"),
  )
})

test("colours are for what a reader looks for first, and change no word", () => {
  const [plain, coloured] = [false, true].map((colour) => formatText(compared(before, after, { colour })))
  expect(stripVTControlCharacters(coloured ?? "")).toBe(plain)
  expect(coloured).toContain("\u001b[1mproduction\u001b[22m \u001b[33m(protected)\u001b[39m\n")
  expect(coloured).toContain("  \u001b[36mcheckout\u001b[39m: rule 1 added")
})

test.each(hostile.map((text) => [text]))("%j drives nothing in a terminal", (text) => {
  const plain = sideOf({ f: { type: "string", defaultValue: "", description: "" } })
  const shown = formatText(compared(sideWith(text), plain))
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u)
})
