import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { phrase, plainPhrase } from "../../../cli/phrases/phrase.ts"

describe("a foreign string", () => {
  test("is never mistaken for ours", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sentence = phrase`before ${text} after`
        expect(sentence).toEqual(["before ", { foreign: text }, " after"])
        expect(plainPhrase(sentence)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  test.each(["\u0000", "\u001b", "\u007f", "\u009b", "\u061c", "\u200e", "\u2028", "\u202e", "\u2069"])(
    "shows %j as an escape",
    (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0")
      expect(plainPhrase(phrase`${`x${character}y`}`)).toBe(`\`x\\u${code}y\``)
    },
  )

  test("shows its line ends, and is cut when it is long", () => {
    expect(plainPhrase(phrase`${"a\nb"}`)).toBe("`a⏎b`")
    expect(plainPhrase(phrase`${"x".repeat(121)}`)).toBe(`\`${"x".repeat(120)}…\``)
  })
})
