import fc from "fast-check"
import { expect, test } from "vitest"
import { lineOf, positionOf } from "../../../cli/diagnostics/position.ts"

const texts = fc.array(fc.constantFrom("a", "b c", "\n", "\r\n", "\r")).map((parts) => parts.join(""))

test("a position counts the line ends before it: LF, CR LF or CR", () => {
  fc.assert(
    fc.property(texts, fc.nat(30), (text, at) => {
      const offset = Math.min(at, text.length)
      let [line, column] = [1, 1]
      for (let index = 0; index < offset; index++) {
        const isEnd = text[index] === "\n" || (text[index] === "\r" && text[index + 1] !== "\n")
        if (isEnd) line++
        column = isEnd ? 1 : column + 1
      }
      expect(positionOf({ path: "a.yaml", text }, offset)).toEqual({ line, column })
    }),
  )
})

test("a line is its text without its end", () => {
  const source = { path: "a.yaml", text: "a\r\nb\rc\nd" }
  expect([1, 2, 3, 4].map((line) => lineOf(source, line))).toEqual(["a", "b", "c", "d"])
})
