// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { flatten, termsOf } from "../../../cli/conditions/flatten.ts"
import { plainPhrase } from "../../../cli/diagnostics/phrase.ts"
import { userWords } from "../../../cli/phrases/users.ts"
import { usersWho } from "../../../cli/phrases/users-who.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { runs } from "../../runs.ts"
import { decode } from "../decode.ts"

const comparison = fc
  .tuple(fc.constantFrom("a", "b", "country"), fc.constantFrom("x", "y"))
  .chain(([attribute, value]) =>
    fc.constantFrom<Condition>(
      { attribute, operator: "equals", value },
      { attribute, operator: "equalsIgnoreCase", value },
      { attribute, operator: "notIn", value: JSON.stringify([value, "z"]) },
      { attribute, operator: "percentage", value: "10" },
      { attribute, operator: "share", value: JSON.stringify({ seed: value, from: 10, to: 60 }) },
    ),
  )
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: "large" },
    comparison,
    fc
      .tuple(
        fc.constantFrom("all", "any", "none"),
        fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
      )
      .map(([operator, parts]) => ({ attribute: "", operator, value: JSON.stringify(parts) })),
  ),
}))

test('no words for users have brackets in brackets, or "and either"', () => {
  fc.assert(
    fc.property(condition, (each) => {
      const terms = termsOf(decode(each) ?? expect.fail("not read"))
      const said = terms.map((term) => plainPhrase(userWords(flatten(term)).whom))
      for (const words of [...said, plainPhrase(usersWho(terms))])
        expect(words).not.toMatch(/\([^()]*\(| and either/)
    }),
    { numRuns: runs(2000) },
  )
})
