import { expect, test } from "vitest"
import { didYouMean, list, orList, quoted } from "../../../cli/diagnostics/suggest.ts"

const environments = ["development", "staging", "production"]

test("sentences", () => {
  expect(didYouMean("prod", environments)).toBe("; did you mean `production`?")
  expect(didYouMean("qa", environments)).toBe(". Known: `development`, `staging` and `production`.")
  expect(didYouMean("prod", ["production-eu", "production-us"])).toMatch(/^\. Known/)
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
