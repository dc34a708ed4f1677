import { expect, test } from "vitest"
import { readEvents } from "../../../cli/yaml/events.ts"
import { diagnoseIndentation } from "../../../cli/yaml/indentation.ts"

test.each([
  [12, "This starts in column 14, but its siblings start in column 1. Remove 13 spaces."],
  [13, undefined],
])("the %i. nearest column in which a line above starts is tried: %s", (count, message) => {
  const open = Array.from(
    { length: count - 1 },
    (_, at) => `${at === 0 ? "- " : " ".repeat(at + 2)}k${at}:\n`,
  )
  const indent = " ".repeat(count + 1)
  const text = `${open.join("")}${indent}x: 1\n${indent}- y\n`
  const read = readEvents(text)
  if (read.kind !== "refused") throw new Error("a list item among the fields of a mapping was read")
  expect(diagnoseIndentation(text, read.offset)?.message).toBe(message)
})
