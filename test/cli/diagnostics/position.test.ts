import fc from "fast-check"
import { expect, test } from "vitest"
import { linesAt, positionOf } from "../../../cli/diagnostics/position.ts"

const texts = fc.oneof(
  fc.array(fc.constantFrom("a", "b c", "\n", "\n\n")).map((parts) => parts.join("")),
  fc.array(fc.constantFrom("a", "\r\n", "\n", "\r")).map((parts) => parts.join("")),
)

test("lines of many offsets are those of each, in whatever order they are asked for", () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(30)), fc.boolean(), (text, all, isInOrder) => {
      const source = { path: "a.yaml", text }
      const known = all.map((offset) => Math.min(offset, text.length))
      const offsets = isInOrder ? known.toSorted((a, b) => a - b) : known
      expect(linesAt(source, offsets)).toEqual(offsets.map((offset) => positionOf(source, offset).line))
    }),
  )
})
