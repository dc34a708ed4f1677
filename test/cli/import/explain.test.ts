import { expect, test } from "vitest"
import { causeName, explain } from "../../../cli/import/explain.ts"
import type { Sides } from "../../../cli/import/sides.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"

/** Sides that agree once `seats` or `score` is a number. */
const sides: Sides = {
  ourHash: () => 0,
  theirs: ({ seats, score }) => (typeof seats === "number" || typeof score === "number" ? "true" : "false"),
  ours: () => "true",
  off: () => "false",
  default: "false",
}

const from = {
  ...{ attributes: new Map([["plan", []]]), operands: ["pro"], isTextual: false, comparisons: [] },
  ...{ isList: () => false, known: new Set<string>() },
}
const text = (value: unknown) => (value ? "true" : "false")

/** What the other tool returns where ours returns true, a context for which they differ, and the cause. */
test.each([
  [
    ({ a, b }: Context) => text(a === 5 && b === 6),
    { a: "5", b: "6" },
    "import-context-mistyped an unexpected `a`, `b`, such as",
  ],
  [
    ({ a, b, c }: Context) => text(a === 5 && b === 6 && c === "x"),
    { a: "5", b: "6", c: "x" },
    "import-context-mistyped an unexpected `a`, `b`, such as",
  ],
  [
    ({ plan, a }: Context) => text(plan !== undefined && a === 5),
    { a: "5" },
    "import-context-missing no `plan`, such as",
  ],
  [({ plan }: Context) => text(plan === "pro"), {}, "import-disproved a different value for"],
  [({ plan }: Context) => text(plan === "pro"), { plan: "free" }, "import-disproved a different value for"],
  [() => undefined, { a: "5" }, "import-disproved a different value for"],
])("the cause of a difference: %#", (theirs, context, named) => {
  expect(causeName(explain(context, "", { ...sides, theirs }, from))).toBe(named)
})
