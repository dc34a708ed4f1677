import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  joinLast,
  listPhrase,
  phrase,
  plainPhrase,
  sentence,
  uncut,
  unmarkedPhrase,
  whole,
} from "../../../cli/diagnostics/phrase.ts"

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

  test.each([..."\u0000\u001b\u007f\u009b\u00a0\u061c\u200e\u2028\u202e\u2069"])(
    "shows %j as an escape",
    (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, "0")
      expect(plainPhrase(phrase`${`x${character}y`}`)).toBe(`\`x\\u${code}y\``)
    },
  )

  test("shows its line ends, and is cut when it is long", () => {
    expect(plainPhrase(phrase`${"a\nb"}`)).toBe("`a⏎b`")
    expect(plainPhrase(phrase`${"x".repeat(120)}`)).toBe(`\`${"x".repeat(120)}\``)
    expect(plainPhrase(phrase`${"x".repeat(121)}`)).toBe(`\`${"x".repeat(120)}…\``)
    expect(plainPhrase(phrase`${`${"x".repeat(119)}😀`}`)).toBe(`\`${"x".repeat(119)}…\``)
  })

  test("is not cut where all of it is needed, and has code marks of its own in a sentence", () => {
    const long = "x".repeat(121)
    expect(plainPhrase(phrase`is ${whole(long)}`)).toBe(`is \`${long}\``)
    expect(plainPhrase(uncut(phrase`is ${long}`))).toBe(`is \`${long}\``)
    expect(plainPhrase(uncut(phrase`${sentence("`a` is `b`")}: ${long}`))).toBe(`\`a\` is \`b\`: \`${long}\``)
    expect(unmarkedPhrase(phrase`is ${"a"} or ${"b"}`)).toBe("is a or b")
  })
})

test.each([
  [[], "", ""],
  [["a"], "`a`", "`a`"],
  [["a", "b"], "`a`, `b`", "`a` or `b`"],
  [["a", "b", "c"], "`a`, `b`, `c`", "`a`, `b` or `c`"],
  [["a", "b", "c", "d"], "`a`, `b`, `c`, 1 more", "`a`, `b`, `c` or `d`"],
])("the list %j has words", (texts, counted, alternatives) => {
  expect(plainPhrase(listPhrase(texts, 3))).toBe(counted)
  expect(
    plainPhrase(
      joinLast(
        texts.map((text) => phrase`${text}`),
        "or",
      ),
    ),
  ).toBe(alternatives)
})
