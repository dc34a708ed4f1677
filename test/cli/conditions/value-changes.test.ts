// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { everything } from "../../../cli/conditions/context-set.ts"
import { type ValuedContexts, valueChanges } from "../../../cli/conditions/value-changes.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { runs } from "../../runs.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { composite, families, firstMatch, matcherOf, presence, scope, values, worldOf } from "./world.ts"

type Rule = readonly [condition: Condition, value: string]

interface Flag {
  readonly rules: readonly Rule[]
  readonly otherwise: string
}

function outcomesOf({ rules, otherwise }: Flag): readonly ValuedContexts[] {
  return [
    ...rules.map(([condition, value]) => ({ contexts: contextsOfSent(condition, scope), value })),
    { contexts: everything, value: otherwise },
  ]
}

/** The outcome that decides for each context, by the SDK. */
function deciderOf({ rules }: Flag): (context: Context) => number {
  const matchers = rules.map(([condition]) => matcherOf(condition))
  return (context) => {
    const at = firstMatch(matchers, context)
    return at === -1 ? rules.length : at
  }
}

const world = worldOf(values)
const all = composite(
  fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...Object.values(families)) },
    { weight: 1, arbitrary: presence },
  ),
)
const value = fc.constantFrom("on", "off")
const flag: fc.Arbitrary<Flag> = fc.record({
  rules: fc.array(fc.tuple(all, value), { maxLength: 4 }),
  otherwise: value,
})
/** Two flags that mostly have much in common, as before and after a pull request. */
const flags = fc.oneof(
  fc.tuple(flag, flag),
  fc
    .record({ before: flag, rule: fc.tuple(all, value), at: fc.nat(4), removed: fc.nat(1) })
    .map(({ before, rule, at, removed }): readonly [Flag, Flag] => [
      before,
      { ...before, rules: before.rules.toSpliced(at, removed, rule) },
    ]),
)

describe("whose value changes", () => {
  test("is found wherever there is someone, with a context that shows it", () => {
    let [comparisons, doubts] = [0, 0]
    fc.assert(
      fc.property(flags, ([before, after]) => {
        const { changes, possible, isCutShort } = valueChanges(outcomesOf(before), outcomesOf(after))
        const [decideBefore, decideAfter] = [deciderOf(before), deciderOf(after)]
        const valueAt = ({ rules, otherwise }: Flag, at: number) => rules[at]?.[1] ?? otherwise
        for (const { witness, ...change } of changes) {
          expect({ before: decideBefore(witness), after: decideAfter(witness) }).toEqual(change)
          expect(valueAt(before, change.before)).not.toBe(valueAt(after, change.after))
        }
        comparisons++
        if (possible.length > 0) doubts++
        expect(isCutShort).toBe(false)
        const known = new Set([...changes, ...possible].map((change) => `${change.before} ${change.after}`))
        for (const context of world) {
          const [from, to] = [decideBefore(context), decideAfter(context)]
          if (valueAt(before, from) !== valueAt(after, to))
            expect([context, known.has(`${from} ${to}`)]).toEqual([context, true])
        }
      }),
      { numRuns: runs(75) },
    )
    expect(doubts).toBeLessThan(3 + comparisons * 0.02) // only few depend on chance
  })

  test("is no one if only a shadowed rule is added, or equal rules change places", () => {
    const in_ = (...items: readonly string[]): Condition => ({
      attribute: "x",
      operator: "in",
      value: JSON.stringify(items),
    })
    const before: Flag = {
      rules: [
        [in_("a", "b"), "on"],
        [in_("c"), "off"],
      ],
      otherwise: "none",
    }
    const same: Flag = {
      rules: [
        [in_("c"), "off"],
        [in_("b"), "on"],
        [in_("a", "b"), "on"],
        [in_("a"), "off"],
      ],
      otherwise: "none",
    }
    const [outcomesBefore, outcomesAfter] = [outcomesOf(before), outcomesOf(same)]
    expect(valueChanges(outcomesBefore, outcomesAfter, "plain")).toEqual({
      changes: [],
      possible: [],
      isCutShort: false,
    })
    expect(valueChanges(outcomesBefore, outcomesAfter).changes).toMatchObject([
      { witness: { x: ["c", "a"] } },
    ])
  })

  test("is found for a raised percentage: those between, and no one else", () => {
    const share = (value: string): Flag => ({
      rules: [[{ attribute: "id", operator: "percentage", value }, "on"]],
      otherwise: "off",
    })
    const { changes, possible } = valueChanges(outcomesOf(share("10")), outcomesOf(share("20")))
    expect(possible).toEqual([])
    expect(changes).toMatchObject([{ before: 1, after: 0 }])
  })

  test("1,000 rules of which one changed", () => {
    const rules = Array.from(
      { length: 1_000 },
      (_, at): Rule => [{ attribute: "a", operator: "equals", value: `v${at}` }, String(at % 3)],
    )
    const after = rules.with(500, [{ attribute: "a", operator: "in", value: '["v500","new"]' }, "2"])
    const { changes, ...rest } = valueChanges(
      outcomesOf({ rules, otherwise: "0" }),
      outcomesOf({ rules: after, otherwise: "0" }),
      "plain",
    )
    expect({ ...rest, moves: changes.map(({ before, after }) => [before, after]) }).toEqual({
      possible: [],
      isCutShort: false,
      moves: [[1000, 500]],
    })
  })
})
