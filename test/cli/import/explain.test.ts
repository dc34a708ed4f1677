import { expect, test } from "vitest"
import { causeName, explain } from "../../../cli/import/explain.ts"
import type { Sides } from "../../../cli/import/sides.ts"

/** Sides that agree once `seats` or `score` is a number. */
const sides: Sides = {
  ourHash: () => 0,
  theirs: ({ seats, score }) => (typeof seats === "number" || typeof score === "number" ? "true" : "false"),
  ours: () => "true",
  off: () => "false",
  default: "false",
}

test.each([
  ["seats", [], "seats"],
  ["score", [], "score"],
  ["score", ["seats"], "seats"], // one cause explains more than two
])("of two causes, that of the changed %s is named unless %j is known", (changed, known, named) => {
  const from = {
    ...{ attributes: new Map(), operands: [], isTextual: false, comparisons: [], isList: () => false },
    known: new Set(known.map((name) => `import-context-mistyped an unexpected \`${name}\`, such as`)),
  }
  const cause = explain({ seats: "5", score: "7" }, changed, sides, from)
  expect(causeName(cause)).toBe(`import-context-mistyped an unexpected \`${named}\`, such as`)
})
