import { expect, test } from "vitest"
import {
  didYouMean,
  list,
  onlySuggestion,
  orList,
  quoted,
  suggest,
} from "../../../cli/diagnostics/suggest.ts"

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
  ["pro", "production"],
  ["stgng", undefined],
  ["stagng", "staging"],
  ["taging", "staging"],
  ["stagings", "staging"],
  ["satging", "staging"],
  ["stagiong", "staging"],
  ["sxagxng", "staging"],
  ["sxagxnx", undefined],
])("%s suggests %s", (word, expected) => expect(suggest(word, environments)).toBe(expected))

test("the closest is suggested, and a fix is certain only if it is the only one", () => {
  expect(suggest("semverLessThn", ["semverLessThan", "lessThan"])).toBe("semverLessThan")
  expect(suggest("abcdeg", ["abcdef", "abcdxy", "other"])).toBe("abcdef")
  expect(onlySuggestion("abcdeg", ["abcdef", "abcdxy"])).toBeUndefined()
  expect(onlySuggestion("abcdeg", ["abcdef", "other"])).toBe("abcdef")
  expect(onlySuggestion("prod", ["production"])).toBeUndefined()
  expect(onlySuggestion("ie", ["id"])).toBeUndefined()
  expect(onlySuggestion("nme", ["name"])).toBeUndefined()
  expect(onlySuggestion("nmae", ["name"])).toBe("name")
  expect(suggest("sta", ["staging", "status"])).toBeUndefined()
  expect(suggest("noIn", ["notIn", "in"])).toBeUndefined()
  expect(suggest("NotIm", ["in", "notIn"])).toBe("notIn")
  expect(suggest("!stafff", ["staff", "!staff"])).toBe("!staff")
})

test("sentences", () => {
  expect(didYouMean("prod", environments)).toBe("; did you mean `production`?")
  expect(didYouMean("qa", environments)).toBe(". Known: `development`, `staging` and `production`.")
  expect(didYouMean("qa", [])).toBe(".")
  expect(list(["a"])).toBe("`a`")
  expect(list(["a", "b", "c", "d"], 2)).toBe("`a`, `b` and 2 more")
  expect(list(["a", "b", "c"], 3)).toBe("`a`, `b` and `c`")
  expect(list([..."abcdefghi"])).toBe("`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h` and 1 more")
  expect(quoted("x".repeat(500))).toHaveLength(83)
  expect(quoted("x".repeat(80))).toBe(`\`${"x".repeat(80)}\``)
  expect(orList("qa", environments, "environments", "- qa")).toBe(
    " Use one of them, or add `- qa` to `environments` in project.yaml.",
  )
  expect(orList("qa", [], "tags")).toBe(" Add it to `tags` in project.yaml.")
  expect(orList("prod", environments, "environments")).toBe("")
})
