// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { complement, intersection } from "../../../cli/conditions/context-set.ts"
import { findContext } from "../../../cli/conditions/witness.ts"
import { createWork, stepsForFlag } from "../../../cli/conditions/work.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { runs } from "../../runs.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { mixed, short, shortSpellings, spellings } from "./mixtures.ts"
import { matcherOf, scope } from "./world.ts"

/** Conditions that must be true of one value, and conditions that must not. */
const literalsOf = (condition: fc.Arbitrary<Condition>, maxLength: number) =>
  fc.array(fc.record({ condition, holds: fc.constantFrom(true, true, false) }), { minLength: 2, maxLength })

type Literal = { readonly condition: Condition; readonly holds: boolean }

function answerOf(all: readonly Literal[]) {
  const sets = all.map(({ condition, holds }) => {
    const set = contextsOfSent(condition, scope)
    return holds ? set : complement(set)
  })
  return findContext(intersection(...sets), { shapes: "plain", work: createWork(stepsForFlag) })
}

const exists: Literal = { condition: { attribute: "x", operator: "exists", value: "" }, holds: true }

describe("a scalar that is compared in several ways at once", () => {
  test.each<readonly [string, fc.Arbitrary<readonly Literal[]>, readonly unknown[], number]>([
    ["among many spellings", literalsOf(mixed, 7), spellings, 375],
    ["among all short ones", literalsOf(short, 12), shortSpellings, 188],
  ])("is found or may be there, and what is known is true: %s", (_, literals, world, usual) => {
    let [questions, doubts] = [0, 0]
    fc.assert(
      fc.property(literals, (all) => {
        const answer = answerOf([exists, ...all])
        const matchers = all.map(({ condition, holds }) => [matcherOf(condition), holds] as const)
        const agrees = (x: unknown) => matchers.every(([matches, holds]) => matches({ x }) === holds)
        questions++
        if (answer.kind === "found")
          expect([answer.value, agrees(answer.value.x)]).toEqual([answer.value, true])
        else if (answer.kind === "none") expect(world.find(agrees)).toBeUndefined()
        else {
          expect(answer.because).toBe("mixture")
          doubts++
        }
      }),
      { numRuns: runs(usual) },
    )
    expect(doubts).toBeLessThan(10 + questions * 0.2) // only few depend on chance
  })
})
