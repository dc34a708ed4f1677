import { join } from "node:path"
import { expect, test } from "vitest"
import { formatText } from "../../../cli/diff/format-text.ts"
import { after, before, compared, hostile, sideWith } from "./compared.ts"
import { sideOf } from "./sides.ts"

test("a terminal's text", async () => {
  const text = formatText(compared(before, after))
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, "expected.txt"))
})

test.each(hostile.map((text) => [text]))("%j drives nothing in a terminal", (text) => {
  const plain = sideOf({ f: { type: "string", defaultValue: "", description: "" } })
  const shown = formatText(compared(sideWith(text), plain))
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u)
})
