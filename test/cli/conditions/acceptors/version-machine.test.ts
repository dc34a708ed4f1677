import fc from "fast-check"
import { expect, test } from "vitest"
import { versionMachine } from "../../../../cli/conditions/acceptors/version-machine.ts"
import { versionsOf } from "../../../../cli/conditions/versions.ts"
import { bindOperator } from "../../../../sdk/evaluation/operators.ts"
import { parseVersionOperand } from "../../../../sdk/evaluation/version.ts"
import { runs } from "../../../runs.ts"
import { scope } from "../world.ts"
import { verdictOf } from "./reading.ts"

const number = fc.constantFrom("0", "1", "2", "10", "09", "00", "130", "1299999999999999999999")
const identifier = fc.oneof(
  number,
  fc.constantFrom("a", "b", "aa", "1a", "-", "1-", "rc", "RC", "0a", "a1", "Z"),
)
const joined = (one: fc.Arbitrary<string>, most: number) =>
  fc.array(one, { minLength: 1, maxLength: most }).map((parts) => parts.join("."))
const version = fc
  .tuple(
    fc.constantFrom("", "", "v"),
    joined(number, 4),
    fc.option(joined(identifier, 3)),
    fc.option(joined(identifier, 2)),
  )
  .map(
    ([v, numbers, pre, build]) =>
      `${v}${numbers}${pre === null ? "" : `-${pre}`}${build === null ? "" : `+${build}`}`,
  )
const range = joined(number, 2).map((numbers) => `${numbers}.*`)
const anyText = fc.string({ unit: fc.constantFrom(..."v0123.+-aZ..--01"), maxLength: 10 })
const names = ["Equals", "NotEquals", "GreaterThan", "GreaterThanOrEquals", "LessThan", "LessThanOrEquals"]

test("versions, read character by character, compare as in the evaluation", () => {
  const operator = fc.constantFrom(...names.map((name) => `semver${name}`))
  fc.assert(
    fc.property(
      operator,
      fc.oneof(version, range),
      fc.oneof(version, version, anyText),
      fc.boolean(),
      (name, operand, text, mustBe) => {
        const bound = bindOperator(name, operand, scope)
        const parsed = parseVersionOperand(operand)
        if (bound === undefined || parsed === undefined) throw new Error(`${operand} is no version`)
        const is = parseVersionOperand(text)
        const isVersion = is !== undefined && !is.isRange
        const expected = isVersion ? bound.matches(text, bound.operand) : !mustBe
        expect([text, verdictOf(versionMachine(versionsOf(name, parsed), mustBe), text)]).toEqual([
          text,
          expected,
        ])
      },
    ),
    { numRuns: runs(10_000) },
  )
})
