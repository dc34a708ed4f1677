import { expect, test } from "vitest"
import { jsonContext } from "../../../cli/conditions/json-context.ts"

test.each<readonly [string, unknown, unknown]>([
  ["a text", "a", "a"],
  ["a number", 1.5, 1.5],
  ["a moment", new Date("2026-01-01T00:00:00Z"), "2026-01-01T00:00:00.000Z"],
  ["a list", ["a", 1, null], ["a", 1, null]],
  ["an object", {}, {}],
])("JSON says %s", (_, x, said) => expect(jsonContext({ x })).toEqual({ x: said }))

test.each<readonly [string, unknown]>([
  ["an infinite number", Number.NEGATIVE_INFINITY],
  ["a year that RFC 3339 does not have", new Date("+010000-01-01T00:00:00.000Z")],
  ["a list with one of them", ["a", Number.POSITIVE_INFINITY]],
  ["half a character", "\ud83d"],
])("JSON does not say %s", (_, x) => expect(jsonContext({ x, y: "a" })).toBeUndefined())
