// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  all,
  always,
  any,
  type Condition,
  isAlways,
  isNever,
  mapLeaves,
  never,
  none,
  visit,
} from "../../../cli/language/condition.ts"
import { runs } from "../../runs.ts"

/** The plain reading of a condition, in a context in which these attributes are there. */
function holds(condition: Condition, there: ReadonlySet<string>): boolean {
  switch (condition.kind) {
    case "all":
      return condition.parts.every((part) => holds(part, there))
    case "any":
      return condition.parts.some((part) => holds(part, there))
    case "none":
      return !condition.parts.some((part) => holds(part, there))
    case "comparison":
      if (isAlways(condition)) return true
      return there.has(condition.attribute) === (condition.operator === "exists")
    default:
      return false
  }
}

const attribute = fc.constantFrom("x", "y", "z")
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    fc.constantFrom(always, never),
    fc.record({
      kind: fc.constant("comparison" as const),
      attribute,
      operator: fc.constantFrom("exists", "notExists"),
      operand: fc.constant(""),
    }),
    fc.record({
      kind: fc.constantFrom("all" as const, "any" as const, "none" as const),
      parts: fc.array(tie("condition"), { maxLength: 3 }),
    }),
  ),
}))
const contexts = Array.from(
  { length: 8 },
  (_, bits) => new Set(["x", "y", "z"].filter((_, at) => bits & (1 << at))),
)

test("`all`, `any` and `none` hold as groups of the same conditions do", () => {
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 4 }), (parts) => {
      for (const [kind, make] of Object.entries({ all, any, none }))
        for (const there of contexts)
          expect(holds(make(...parts), there)).toBe(holds({ kind: kind as "all", parts }, there))
    }),
    { numRuns: runs(300) },
  )
})

test("a condition made of them has no empty group, no group in the same kind of group, and `always` only alone", () => {
  fc.assert(
    fc.property(condition, (given) => {
      const made = mapLeaves(given, (leaf) => leaf)
      if (isAlways(made) || isNever(made)) return
      for (const node of visit(made)) {
        expect(isAlways(node)).toBe(false)
        if (!("parts" in node)) continue
        expect(node.parts.length).toBeGreaterThan(0)
        if (node.kind !== "none") expect(node.parts.map(({ kind }) => kind)).not.toContain(node.kind)
      }
    }),
    { numRuns: runs(300) },
  )
})
