import fc from "fast-check"
import { expect, test } from "vitest"
import { createChangesBetween } from "../../../../cli/catalog/history/changes-between.ts"
import { keepVersion } from "../../../../cli/catalog/versions/kept-version.ts"
import { writeFlag } from "../../../../cli/compile/meaning/compiled-flag.ts"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import type { Condition } from "../../../../sdk/evaluation/condition.ts"
import { runs } from "../../../runs.ts"
import { scope } from "../../conditions/world.ts"
import { diffOf, sideOf } from "../../diff/sides.ts"

// What a catalogue says of many edits, of which some are alike, is what `diff` says of each.

interface Written {
  readonly enabled: boolean
  /** Whether the author gave the rules ids: their positions. */
  readonly hasIds: boolean
  readonly rules: readonly (readonly [condition: Condition, value: string])[]
}

const share = (attribute: string, value: string): Condition => ({ attribute, operator: "percentage", value })
const percentage = fc.oneof(
  { weight: 6, arbitrary: fc.nat(100).map(String) },
  { weight: 3, arbitrary: fc.constantFrom("0", "1", "5", "10", "10", "10", "99", "100") },
  { weight: 1, arbitrary: fc.constantFrom("2.5", "07", "0000000001") },
)
const shares = fc.tuple(fc.constantFrom("x", "x", "y"), percentage).map((parts) => share(...parts))
const condition = fc.oneof(
  { weight: 5, arbitrary: shares },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Condition>(
      { attribute: "plan", operator: "equals", value: "pro" },
      ...[1, 2].map(() => ({ attribute: "plan", operator: "equals", value: "10" })),
      { attribute: "plan", operator: "in", value: '["pro","10"]' },
      { attribute: "x", operator: "notExists", value: "" },
      { attribute: "plan", operator: "startsWith", value: "0000000001" },
      { attribute: "", operator: "always", value: "" },
    ),
  },
  {
    weight: 1,
    arbitrary: shares.map((one) => ({
      attribute: "",
      operator: "any",
      value: JSON.stringify([one, { attribute: "plan", operator: "equals", value: "team" }]),
    })),
  },
)
const edit = fc
  .record({
    enabled: fc.constantFrom(true, true, true, false),
    rules: fc.array(fc.tuple(condition, fc.constantFrom("on", "on", "off", "10")), { maxLength: 3 }),
    others: fc.array(percentage, { minLength: 3, maxLength: 3 }),
    isMore: fc.constantFrom(false, false, false, true),
    hasIds: fc.boolean(),
    left: fc.constantFrom(0, 0, 1),
    more: fc.array(fc.tuple(condition, fc.constantFrom("on", "off")), { maxLength: 1 }),
  })
  .map(({ enabled, rules, others, isMore, hasIds, left, more }): readonly [Written, Written] => {
    const edited = rules.map(([one, value], at) => {
      const other = one.operator === "percentage" && at !== 1 ? { ...one, value: others[at] ?? "1" } : one
      return [other, value] as const
    })
    const after = [...edited.slice(left), ...more]
    return [
      { enabled, hasIds, rules },
      { enabled, hasIds, rules: isMore ? after.toReversed() : after },
    ]
  })

function sideWith(key: string, { enabled, hasIds, rules }: Written): Side {
  const side = sideOf(
    { [key]: { type: "string", defaultValue: "off", environments: { production: { enabled: true } } } },
    "project: shop\nenvironments: [production]\n",
  )
  const made = rules.map(([one, returnValue], at) => {
    return { id: hasIds ? `r${at}` : `${at} ${JSON.stringify(one)}`, ...one, returnValue }
  })
  return {
    ...side,
    flags: side.flags.map((flag) => ({
      ...flag,
      configurations: new Map(
        [...flag.configurations].map(([name, own]) => [name, { ...own, enabled, rules: made }]),
      ),
    })),
  }
}

function keptOf({ flags }: Side) {
  return flags.map((flag) => keepVersion(flag, writeFlag(flag)))
}

test("a history says of each new flag and each edit what diff says", () => {
  let changes = 0
  fc.assert(
    fc.property(fc.array(edit, { minLength: 10, maxLength: 20 }), (edits) => {
      const between = createChangesBetween({
        ...{ project: { name: "shop" }, environments: ["production"] },
        ...{ compileExpression: scope.compileExpression, write: (said) => said },
      })
      const none = { ...sideWith("none", { enabled: true, hasIds: false, rules: [] }), flags: [] }
      for (const [at, [before, after]] of edits.entries()) {
        const [one, other] = [sideWith(`f${at}`, before), sideWith(`f${at}`, after)]
        for (const [from, to] of [
          [none, one],
          [one, other],
        ] as const) {
          const { changes: expected }: { changes: readonly Told[] } = JSON.parse(diffOf(from, to).json)
          const said = between({ before: keptOf(from), after: keptOf(to) })
          changes += said.length
          expect(
            said.map(({ flag, said: { what, who } }) => ({
              flag,
              summary: plainPhrase(what),
              who: who
                .filter((effect) => "environment" in effect)
                .map((effect) => plainPhrase(effect.sentence)),
            })),
          ).toEqual(
            expected.map(({ flag, summary, affected }) => ({
              flag,
              summary,
              who: affected.map(({ who }) => who),
            })),
          )
        }
      }
    }),
    { numRuns: runs(150) },
  )
  expect(changes).toBeGreaterThan(0)
})

interface Told {
  readonly flag: string
  readonly summary: string
  readonly affected: readonly { readonly who: string }[]
}
