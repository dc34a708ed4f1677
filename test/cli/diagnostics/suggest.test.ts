import { expect, test } from "vitest"
import { didYouMean, list, onlySuggestion, quoted, suggest } from "../../../cli/diagnostics/suggest.ts"

const environments = ["development", "staging", "production"]

test.each([
  ["prod", "production"],
  ["PROD", "production"],
  ["dev", "development"],
  ["prodcution", "production"],
  ["Production", "production"],
  ["stagging", "staging"],
  ["qa", undefined],
  ["pr", undefined],
  ["", undefined],
])("%s suggests %s", (word, expected) => expect(suggest(word, environments)).toBe(expected))

test("the closest is suggested, and a fix is certain only if it is the only one", () => {
  expect(suggest("semverLessThn", ["semverLessThan", "lessThan"])).toBe("semverLessThan")
  expect(suggest("abcdeg", ["abcdef", "abcdxy", "other"])).toBe("abcdef")
  expect(onlySuggestion("abcdeg", ["abcdef", "abcdxy"])).toBeUndefined()
  expect(onlySuggestion("abcdeg", ["abcdef", "other"])).toBe("abcdef")
  expect(onlySuggestion("prod", ["production"])).toBeUndefined()
  expect(onlySuggestion("ie", ["id"])).toBeUndefined()
})

test("sentences", () => {
  expect(didYouMean("prod", environments)).toBe("; did you mean `production`?")
  expect(didYouMean("qa", environments)).toBe(". Known: `development`, `staging` and `production`.")
  expect(didYouMean("qa", [])).toBe(".")
  expect(list(["a"])).toBe("`a`")
  expect(list(["a", "b", "c", "d"], 2)).toBe("`a`, `b` and 2 more")
  expect(quoted("x".repeat(500))).toHaveLength(83)
})
