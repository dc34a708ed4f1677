import fc from "fast-check"
import type { Condition } from "../../../sdk/evaluation/condition.ts"

// Conditions of small worlds: two attributes with few values, two seeds, and the segment `some`.

/** A condition, a flag or an invariant as a file has it. */
export type Written = Readonly<Record<string, unknown>>

const attribute = fc.constantFrom("x", "y")
export const comparison: fc.Arbitrary<Written> = fc.oneof(
  fc.record({
    attribute,
    operator: fc.constantFrom("equals", "notEquals"),
    value: fc.constantFrom("a", "b"),
  }),
  fc.record({ attribute, operator: fc.constantFrom("in", "notIn"), value: fc.constant(["a", "b"]) }),
  fc.record({ attribute, operator: fc.constantFrom("exists", "notExists") }),
)
export const share: fc.Arbitrary<Written> = fc
  .tuple(fc.constantFrom("s", "t"), fc.constantFrom(0, 20, 50), fc.constantFrom(60, 80, 100))
  .map(([seed, from, to]) => ({ share: { by: "user", from, to, seed } }))
export const segment = fc.constant({ segment: "some" })

/** A condition, or groups of such conditions. */
export function composite(leaf: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  const { any } = fc.letrec<{ any: Written }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      { weight: 4, arbitrary: leaf },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom("all", "any", "none"), fc.array(tie("any"), { minLength: 1, maxLength: 3 }))
          .map(([kind, parts]) => ({ [kind]: parts })),
      },
    ),
  }))
  return any
}

/** A comparison or a share as SDKs get it. */
export function onWire({ attribute, operator, value = "", share }: Written): Condition {
  if (share === undefined)
    return {
      attribute: String(attribute),
      operator: String(operator),
      value: typeof value === "string" ? value : JSON.stringify(value),
    }
  const { by, ...range } = share as Written
  return { attribute: String(by), operator: "share", value: JSON.stringify(range) }
}
