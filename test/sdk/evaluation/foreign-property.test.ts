import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { RE2JS } from "re2js"
import { expect, test } from "vitest"
import { createExpressions } from "../../../sdk/evaluation/expression.ts"
import { classNames } from "./class-names.ts"
import { ownVectors } from "./vectors.ts"

const root = resolve(import.meta.dirname, "../../..")

test("the page lists Any, 35 categories and 38 scripts", () => {
  expect(classNames).toHaveLength(1 + 35 + 38)
})

test.each([
  ["JavaScript", "sdk/evaluation/foreign-property.ts"],
  ["Python", "sdk/python/src/flagstone/_expressions.py"],
  ["Go", "sdk/go/character_properties.go"],
])("the list is the same in %s", (_, path) => {
  const [list = ""] =
    /\bAny Cc[\w\s]+(?:"\s+\+ "[\w\s]+)*/.exec(readFileSync(resolve(root, path), "utf8")) ?? []
  expect(list.match(/\w+/g)).toEqual(classNames)
})

const file = "sdk/java/flagstone-evaluation/src/main/resources/flagstone/character-properties.txt"
const ranges = readFileSync(resolve(root, file), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split(" "))

test("is the same list in Java, whose characters have the properties", () => {
  const names = ranges.map(([name]) => name)
  expect(names).toEqual(classNames.filter((name) => name !== "Any" && name.length > 1))
  const wrong = ranges.filter(([name = "", ...words]) => {
    const property = name.length === 2 && name !== "Yi" ? name : `Script=${name}`
    const has = new RegExp(`^\\p{${property}}$`, "u")
    return words.some((word) => {
      const [first = 0, last = first] = word.split("-").map((digits) => Number.parseInt(digits, 16))
      return !has.test(String.fromCodePoint(first)) || !has.test(String.fromCodePoint(last))
    })
  })
  expect(wrong).toEqual([])
})

test("has a vector for each name", () => {
  const cases = ownVectors.map((vector) => vector.case)
  expect(classNames.filter((name) => !cases.includes(`character property: ${name}`))).toEqual([])
})

const compile = createExpressions(() => ({ RE2JS }))

test.each([
  "\\p{Emoji}",
  "[a\\p{Emoji}]",
  "\\P{^LC}",
  "[^\\pC]",
  "\\pl",
  "\\E\\p{Letter}",
  "\\p{Greek",
  "\\p",
])("%s cannot be read", (source) => {
  expect(compile(source)).toBeUndefined()
})

test.each(["\\\\p{1}", "\\Q\\p{Emoji}\\E", "\\Q\\p{Emoji}", "[\\\\p{Emoji}]", "\\p{^Greek}"])(
  "%s can be read",
  (source) => {
    expect(compile(source)).toBeDefined()
  },
)
