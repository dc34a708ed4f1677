import fc from "fast-check"
import { expect, test } from "vitest"
import { findCandidates, flagMatcher, isFlagGlob } from "../../../proxy/contract/flag-globs.ts"

test.each([
  ["web/**", ["web/a", "web/a/b", "web/"], ["web", "webs/a", "a/web/b"]],
  ["checkout-*", ["checkout-", "checkout-a", "checkout-a.b"], ["checkout", "checkout-a/b", "a-checkout-a"]],
  ["*", ["a", "a.b"], ["a/b"]],
  ["**", ["a", "a/b/c"], []],
  ["a?c", ["abc", "a.c"], ["a/c", "ac", "abbc"]],
  ["*/b", ["a/b"], ["b", "a/a/b"]],
  ["**/b", ["a/b", "a/a/b", "b/b"], ["b", "ab"]],
  ["a*b*c", ["abc", "axbxc", "abbcc"], ["a/bc", "ab/c", "ab"]],
  ["**a*c", ["ac", "x/a/ac", "a/bac"], ["a/c", "x/a/b/c"]],
  ["a.b", ["a.b"], ["aXb", "A.b"]],
  ["", [], ["a"]],
])("%s", (glob, keys, others) => {
  const matches = flagMatcher([glob])
  expect([...keys, ...others].filter(matches)).toEqual(keys)
})

test("one of several globs is enough", () => {
  expect(["a", "b/c", "d"].filter(flagMatcher(["a", "b/*"]))).toEqual(["a", "b/c"])
})

test("the worst allowed glob takes a negligible time", () => {
  const glob = `**${"a".repeat(97)}**${"a".repeat(98)}b`
  expect(isFlagGlob(glob)).toBe(true)
  const matches = flagMatcher([glob])
  const begin = performance.now()
  for (let round = 0; round < 1_000; round++) expect(matches("a".repeat(200))).toBe(false)
  expect((performance.now() - begin) / 1_000).toBeLessThan(1)
})

test("valid globs", () => {
  expect(["web/**", "*", "a.b-c_d/?", "a".repeat(200)].map(isFlagGlob)).toEqual(Array(4).fill(true))
  for (const text of ["", "a b", "{a,b}", "[ab]", "!a", "ä", "a".repeat(201), "*a*a*"])
    expect(isFlagGlob(text), text).toBe(false)
})

test("the candidates are in order and include every key that matches", () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 4 })
  fc.assert(
    fc.property(fc.uniqueArray(text("ab/.")), fc.array(text("ab/.*?")), (texts, globs) => {
      const keys = texts.sort()
      const positions = [...findCandidates(keys, globs)]
      expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right))
      const matches = flagMatcher(globs)
      if (globs.length > 0)
        expect(positions.map((at) => keys[at] ?? "").filter(matches)).toEqual(keys.filter(matches))
    }),
  )
})
