import * as re2js from "re2js"
import { beforeEach, describe, expect, test } from "vitest"
import { createExpressions, type Expression } from "../../../sdk/evaluation/expression.ts"
import { seeded } from "../../seeded.ts"

const random = seeded(1)
const textOf = (parts: string, length: number) =>
  Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join("")
/** A hundred characters that need about a hundred new states of 20 KB each in the expressions of `sourceAt`. */
const strangersText = () => textOf("abcABC äöüÄЖж", 100)
const sourceAt = (at: number) => `\\p{L}.{0,10}\\p{Lu}[${at}x]\\d`

/** By source, what the engine has compiled. */
const compiled = new Map<string, re2js.RE2JS>()
const createDocument = () =>
  createExpressions(() => ({
    RE2JS: {
      compile(source: string) {
        const expression = re2js.RE2JS.compile(source)
        compiled.set(source, expression)
        return expression
      },
    },
  }))
let compileExpression = createDocument()
const statesOf = (source: string) => compiled.get(source)?.re2().dfa.stateCount

function expressionOf(source: string): Expression {
  const expression = compileExpression(source)
  if (expression === undefined) throw new Error(`RE2 does not know ${source}`)
  return expression
}

describe("when the states of a document's expressions use up their budget", () => {
  const sources = Array.from({ length: 40 }, (_, at) => sourceAt(at))
  const early = "early.{0,20}[A-Z]"
  const late = "late.{0,20}[A-Z]"
  const numberOfStates = () => sources.map((source) => statesOf(source) ?? 0)
  beforeEach(() => {
    compileExpression = createDocument()
    expressionOf(early)("early and late")
    for (let round = 0; round < 40; round++)
      for (const source of sources) expressionOf(source)(strangersText())
  })

  test("no more are created", () => {
    const before = numberOfStates()
    expect(before.reduce((sum, count) => sum + count)).toBeGreaterThan(2_000)
    for (const source of sources) expressionOf(source)(strangersText())
    expect(numberOfStates()).toEqual(before)
  })

  test("those that exist are still there", () => {
    const before = statesOf(early)
    expect(before).toBeGreaterThan(5)
    for (const text of ["early and late", "early and late", "early anything new"]) expressionOf(early)(text)
    expect(statesOf(early)).toBe(before)
  })

  test("texts match as ever", () => {
    for (const source of [...sources.slice(0, 5), early, late, "^(?:a+|\\p{Lu}\\b)+$", "(a)(b)?c"])
      for (const text of [
        "",
        "late  A",
        "early late B",
        "AЖ",
        "aa",
        "ac",
        "abA5",
        "ä x0",
        "Жa Äx1",
        strangersText(),
      ])
        expect(expressionOf(source)(text), `${source} in ${text}`).toBe(
          re2js.RE2JS.compile(source).test(text),
        )
  })

  test("after a million texts, those of the expressions that were used least recently are dropped", () => {
    const [first = ""] = sources
    for (const source of [...sources].reverse()) expressionOf(source)("a")
    const isFound = expressionOf(early)
    for (let texts = 0; texts < 1_000_000; texts++) isFound("other")
    const counts = numberOfStates()
    const dropped = counts.indexOf(0)
    expect(dropped).toBeGreaterThan(10)
    expect(dropped).toBeLessThan(30)
    expect(counts.slice(dropped).every((count) => count === 0)).toBe(true)
    expect(counts.slice(0, dropped).every((count) => count > 0)).toBe(true)
    expect(statesOf(early)).toBeGreaterThan(5)

    const kept = statesOf(first) ?? 0
    expressionOf(first)(strangersText())
    expect(statesOf(first)).toBeGreaterThan(kept)
  })
})
