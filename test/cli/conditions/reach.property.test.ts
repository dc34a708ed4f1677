// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Reach, reachOf } from "../../../cli/conditions/reach.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { runs } from "../../runs.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import {
  bothCases,
  composite,
  expression,
  families,
  firstMatch,
  matcherOf,
  own,
  presence,
  scope,
  tell,
  toldContexts,
  unreadable,
  values,
  worldOf,
} from "./world.ts"

const world = worldOf(values)
const toldWorld = worldOf(values.filter((_, at) => at % 3 === 0)).flatMap(toldContexts)

/** Checks every answer about a list of rules against the SDK and all contexts of the small world. */
function check(conditions: readonly Condition[], isTold = false): readonly Reach[] {
  const matchers = conditions.map(isTold ? (one) => matcherOf(tell(one)) : matcherOf)
  const answers = reachOf(conditions.map((condition) => contextsOfSent(condition, scope)))
  const contexts = isTold ? toldWorld : world
  const reached = new Set(contexts.map((context) => firstMatch(matchers, context)))
  for (const [at, answer] of answers.entries()) {
    if ("witness" in answer) {
      const witnesses = isTold ? toldContexts(answer.witness) : [answer.witness]
      for (const witness of witnesses) expect([at, firstMatch(matchers, witness)]).toEqual([at, at])
    }
    if (answer.kind === "unreachable") expect([at, reached.has(at)]).toEqual([at, false])
    if ("shadows" in answer) {
      const candidates = answer.kind === "unreachable" ? contexts : contexts.filter(isPlain)
      const shadows = answer.shadows.map((shadow) => matchers[shadow] ?? (() => false))
      const escaping = candidates.find(
        (context) => matchers[at]?.(context) === true && firstMatch(shadows, context) === -1,
      )
      expect([at, answer.shadows, escaping]).toEqual([at, answer.shadows, undefined])
    }
  }
  return answers
}

/** Whether a context has neither lists nor objects; a Date is a scalar. */
function isPlain(context: Context): boolean {
  return Object.values(context).every((value) => typeof value !== "object" || value instanceof Date)
}

const rules = (condition: fc.Arbitrary<Condition>) =>
  fc.array(composite(fc.oneof({ weight: 6, arbitrary: condition }, { weight: 1, arbitrary: presence })), {
    minLength: 1,
    maxLength: 6,
  })

describe("which rules a context reaches", () => {
  test.each(Object.entries(families))("%s: exact", (_, family) => {
    fc.assert(
      fc.property(rules(family), (conditions) => {
        expect(check(conditions).filter(({ kind }) => kind === "unknown")).toEqual([])
      }),
      { numRuns: runs(75) },
    )
  })

  test("with and without case: never wrong, mostly known", () => {
    const all = fc.sample(rules(bothCases), runs(250)).flatMap((conditions) => check(conditions))
    expect(all.filter(({ kind }) => kind === "unknown").length).toBeLessThan(all.length * 0.05)
  })

  test("mixtures, expressions and the project's own operators: never wrong", () => {
    const all = fc.oneof(...Object.values(families), expression, own, unreadable)
    let [answers, unknowns] = [0, 0]
    fc.assert(
      fc.property(rules(all), (conditions) => {
        const own = check(conditions, true)
        answers += own.length
        unknowns += own.filter(({ kind }) => kind === "unknown").length
      }),
      { numRuns: runs(250) },
    )
    // About a fifth; the fewer there are, the more it varies.
    expect(unknowns).toBeLessThan(answers * 0.3 + 3 * Math.sqrt(answers))
  })
})
