import { expect, test } from "vitest"
import { type AttributeLimit, lowerLimit } from "../../../proxy/evaluate/attribute-limits.ts"
import { operatorsOnWire } from "../../../sdk/evaluation/operators.ts"

function limitOf(operator: string): number | undefined {
  const limits = new Map<string, AttributeLimit>()
  lowerLimit(limits, { attribute: "a", operator, value: "" })
  return limits.get("a")?.bytes
}

test("an attribute may be as long as the operators that read it can bear", () => {
  const bySize = Map.groupBy(operatorsOnWire.keys(), limitOf)
  expect(bySize.get(256)).toEqual(["percentage", "share"])
  expect(bySize.get(16 * 1024)).toEqual([
    ...["equals", "notEquals", "startsWith", "endsWith", "in", "notIn"],
    ...["before", "beforeOrEquals", "after", "afterOrEquals", "exists", "notExists", "always"],
  ])
  expect([...bySize.keys()].sort()).toEqual([1024, 16 * 1024, 256])
})

test("a project's own operator, which no proxy evaluates, sets no limit, whatever its name", () => {
  expect(["matchesGlob", "isInIgnoreCase", "semver"].map(limitOf)).toEqual([16384, 16384, 16384])
})
