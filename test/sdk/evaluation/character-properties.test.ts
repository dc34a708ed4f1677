import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { RE2JS } from "re2js"
import { expect, test } from "vitest"
import { characterProperties } from "../../../sdk/evaluation/character-properties.ts"
import { createExpressions } from "../../../sdk/evaluation/expression.ts"
import { ownVectors } from "./vectors.ts"

const root = resolve(import.meta.dirname, "../../..")
const read = (path: string) => readFileSync(resolve(root, path), "utf8")

/** The words between the quotes of the two lists, which the languages write with different quotes. */
const listsIn = (path: string) =>
  [...read(path).matchAll(/(?:"""|`)\n([\w\s]+)\n(?:"""|`)/g)].flatMap(([, names = ""]) => names.split(/\s+/))

test("has 36 categories, 156 scripts and Any", () => {
  expect(characterProperties.size).toBe(1 + 36 + 156)
})

test.each([
  ["Python", "sdk/python/src/flagstone/_character_properties.py"],
  ["Go", "sdk/go/character_properties.go"],
])("is the same list in %s", (_, path) => {
  expect(["Any", ...listsIn(path)]).toEqual([...characterProperties])
})

const ranges = read("sdk/java/flagstone-evaluation/src/main/resources/flagstone/character-properties.txt")
  .trimEnd()
  .split("\n")
  .map((line) => line.split(" "))

test("is the same list in Java, whose characters have the properties", () => {
  const names = ranges.map(([name]) => name)
  expect(names).toEqual([...characterProperties].filter((name) => name !== "Any" && name.length > 1))
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

test("is the list of docs/evaluation.md", () => {
  const [, list = ""] = /\n- `Any`;\n([\s\S]*?)\n\n/.exec(read("docs/evaluation.md")) ?? []
  expect(["Any", ...[...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)]).toEqual([...characterProperties])
})

test("has a vector for each name", () => {
  const cases = ownVectors.map((vector) => vector.case)
  expect([...characterProperties].filter((name) => !cases.includes(`character property: ${name}`))).toEqual(
    [],
  )
})

const compile = createExpressions(() => ({ RE2JS }))

test.each(["\\p{Emoji}", "[a\\p{Emoji}]", "\\P{^LC}", "\\pl", "\\E\\p{Letter}", "\\p{Greek", "\\p"])(
  "%s cannot be read",
  (source) => {
    expect(compile(source)).toBeUndefined()
  },
)

test.each(["\\\\p{1}", "\\Q\\p{Emoji}\\E", "\\Q\\p{Emoji}", "[\\\\p{Emoji}]", "\\p{^Greek}"])(
  "%s can be read",
  (source) => {
    expect(compile(source)).toBeDefined()
  },
)
