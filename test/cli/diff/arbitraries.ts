import fc from "fast-check"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"

// Few words, so that generated sides have some in common.
const words = ["a", "ab", "b", "ba", "1", "5"]
export const word = fc.constantFrom(...words)
const attribute = fc.constantFrom("x", "y")
export const condition = fc.oneof(
  fc.record({
    attribute,
    operator: fc.constantFrom(
      "equals",
      "notEquals",
      "contains",
      "notContains",
      "startsWith",
      "endsWith",
      "matches",
      "notMatches",
    ),
    value: word,
  }),
  fc
    .record({
      attribute,
      operator: fc.constantFrom("in", "notIn"),
      items: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    })
    .map(({ items, ...rest }) => ({ ...rest, value: JSON.stringify(items) })),
  fc.record({ attribute, operator: fc.constantFrom("exists", "notExists"), value: fc.constant("") }),
  fc.record({
    attribute,
    operator: fc.constant("percentage"),
    value: fc.constantFrom("0", "25", "50", "100"),
  }),
  fc.record({
    attribute,
    operator: fc.constantFrom("greaterThan", "lessThanOrEquals"),
    value: fc.constantFrom("1", "5"),
  }),
)
/** A small world: every context that the operators of `condition` can distinguish, and some more. */
export const contexts = [undefined, ...words, "7", "abba", "c", "q", "r", "s"].flatMap((x) =>
  [undefined, ...words, "7", "abba"].map(
    (y): Context => ({ ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) }),
  ),
)
