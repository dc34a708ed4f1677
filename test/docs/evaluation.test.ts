import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { isOperator } from "../../sdk/evaluation/operators.ts"
import { ownVectors } from "../sdk/evaluation/vectors.ts"

const root = resolve(import.meta.dirname, "../..")
const page = readFileSync(join(root, "docs/evaluation.md"), "utf8")

const numbers = [...page.matchAll(/^\*\*(\d+\.\d+)\*\* /gm)].map(([, number = ""]) => number)

/** For each sentence the names of its cases, or their beginnings. */
const vectors: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(root, "sdk/evaluation/vectors/sentences.json"), "utf8"),
)

/** Dates are not JSON: `test/sdk/evaluation/hostile.test.ts` has their cases. */
const withoutVectors = ["3.4"]

describe("docs/evaluation.md", () => {
  test("numbers its sentences one after the other", () => {
    expect(numbers.length).toBeGreaterThan(40)
    const chapters = new Map<string, number>()
    for (const number of numbers) {
      const [chapter = "", sentence] = number.split(".")
      expect(Number(sentence), number).toBe((chapters.get(chapter) ?? 0) + 1)
      chapters.set(chapter, Number(sentence))
    }
    expect([...chapters.keys()].map(Number)).toEqual(
      Array.from({ length: chapters.size }, (_, index) => index + 1),
    )
  })

  test("has vectors for each sentence", () => {
    expect(numbers.filter((number) => vectors[number] === undefined)).toEqual(withoutVectors)
    const names = ownVectors.map((vector) => vector.case)
    const unknown = Object.entries(vectors).flatMap(([number, beginnings]) =>
      beginnings.filter(
        (beginning) => !numbers.includes(number) || !names.some((name) => name.startsWith(beginning)),
      ),
    )
    expect(unknown).toEqual([])
  })

  test("has a sentence for each vector", () => {
    const cited = Object.values(vectors).flat()
    const uncited = ownVectors.filter((vector) => !cited.some((name) => vector.case.startsWith(name)))
    expect(uncited.map((vector) => vector.case)).toEqual([])
  })

  test("lists the operators of the evaluator and of openapi.yaml", () => {
    const [, table = ""] = page.split("## Operators at a glance")
    const operators = [...(table.split("\n## ")[0] ?? "").matchAll(/^\| (`.*?) \|/gm)].flatMap(
      ([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    )
    expect(operators.filter((name) => !isOperator(name))).toEqual(["all", "any", "none"])
    expect(operators).toHaveLength(40)
    const openapi = readFileSync(join(root, "proxy/contract/openapi.yaml"), "utf8")
    const [, listed = ""] = /operator:\n[\s\S]*?Operators: ([^.]*)\./.exec(openapi) ?? []
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual([...operators].sort())
  })
})
