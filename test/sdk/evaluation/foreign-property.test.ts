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
  ["Java", "sdk/java/flagstone-evaluation/src/main/java/flagstone/CharacterProperties.java"],
])("the list is the same in %s", (_, path) => {
  const [list = ""] =
    /\bAny Cc[\w\s]+(?:"\s+\+ "[\w\s]+)*/.exec(readFileSync(resolve(root, path), "utf8")) ?? []
  expect(list.match(/\w+/g)).toEqual(classNames)
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
