// @module-tag property
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { replayContexts } from "../../../../cli/diff/changes/replay.ts"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { timelessEntry } from "../../../../cli/flag/sent-flag.ts"
import type { KnownAttributes } from "../../../../cli/language/known-attributes.ts"
import type { Condition } from "../../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../../sdk/evaluation/evaluation.ts"
import { runs } from "../../../runs.ts"
import { testHost } from "../../../test-host.ts"
import {
  composite,
  expression,
  families,
  own,
  presence,
  tell,
  toldContexts,
  values,
  worldOf,
} from "../../conditions/world.ts"
import { ruleOf } from "../../rule.ts"
import { type Affected, checkAffected, type Given, givenTo } from "../affected.ts"
import { diffOf, sideOf } from "../sides.ts"

// Flags with all operators and with groups of conditions, as SDKs get them.

interface Flag {
  readonly enabled: boolean
  readonly defaultValue: string
  readonly rules: readonly (readonly [condition: Condition, value: string])[]
  readonly attributes?: KnownAttributes
}

const empty = sideOf(
  { f: { type: "string", defaultValue: "off", environments: { production: { enabled: true } } } },
  "project: shop\nenvironments: [production]\n",
)

function sideWith({ enabled, defaultValue, rules, attributes }: Flag): Side {
  return {
    ...empty,
    flags: empty.flags.map((flag) => ({
      ...flag,
      attributes,
      defaultValue,
      configurations: new Map(
        [...flag.configurations].map(([name, configuration]) => [
          name,
          {
            ...configuration,
            enabled,
            rules: rules.map(([condition, returnValue], at) =>
              ruleOf(
                { id: `${at} ${JSON.stringify(condition)}`, ...condition, returnValue },
                at + 1,
                flag.key,
              ),
            ),
          },
        ]),
      ),
    })),
  }
}

function givenOf({ flags: [flag] }: Side): Given {
  if (flag === undefined) throw new Error("the side has no flag")
  const { key, defaultValue } = flag
  return { key, defaultValue, configuration: timelessEntry(flag, "production").environment ?? undefined }
}

/** Each with all values of one attribute and every third one of the other: together they are the whole world. */
const worlds = [0, 1, 2].map((rest) =>
  worldOf(
    values,
    values.filter((_, at) => at === 0 || at % 3 === rest),
  ),
)
const world = fc.constantFrom(...worlds)

const toldWorld = worldOf(values.filter((_, at) => at % 3 === 0)).flatMap(toldContexts)

/** All sentences of diff about a step from one flag to another. */
function affectedBy(before: Flag, after: Flag): readonly Affected[] {
  const { json } = diffOf(sideWith(before), sideWith(after))
  const { changes }: { changes: readonly { affected: readonly Affected[] }[] } = JSON.parse(json)
  return changes.flatMap(({ affected }) => affected)
}

/** Compares two flags, checks all sentences about them against the small world, and returns the doubts. */
function check(before: Flag, after: Flag, world: readonly Context[]): readonly string[] {
  const [one, other] = [before, after].map((flag) => givenOf(sideWith(flag))) as [Given, Given]
  return checkAffected(one, other, affectedBy(before, after), world)
}

/** `check` with the project's own operator decided by the contexts. */
function checkTold(before: Flag, after: Flag): readonly string[] {
  const [one, other] = [before, after].map((flag) => {
    const rules = flag.rules.map(([condition, given]) => [tell(condition), given] as const)
    return givenOf(sideWith({ ...flag, rules }))
  }) as [Given, Given]
  return checkAffected(one, other, affectedBy(before, after), toldWorld, toldContexts, tell)
}

const value = fc.constantFrom("on", "on", "off", "beta")

/** Two flags, mostly with one step of a pull request between them. */
function pairOf(condition: fc.Arbitrary<Condition>): fc.Arbitrary<readonly [Flag, Flag]> {
  const rule = fc.tuple(condition, value)
  const flag: fc.Arbitrary<Flag> = fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    defaultValue: value,
    rules: fc.array(rule, { maxLength: 4 }),
  })
  const step = fc.record({ from: fc.nat(3), to: fc.nat(4), rule, how: fc.nat(6) })
  return fc.oneof(
    { weight: 1, arbitrary: fc.tuple(flag, flag) },
    {
      weight: 4,
      arbitrary: fc.tuple(flag, step).map(([before, { from, to, rule, how }]): readonly [Flag, Flag] => {
        const { rules } = before
        const at = Math.min(from, Math.max(0, rules.length - 1))
        const moved = rules.slice(at, at + 1)
        const after =
          [
            rules.toSpliced(to, 0, rule),
            rules.toSpliced(at, 1),
            rules.toSpliced(at, 1, rule),
            rules.toSpliced(at, 1).toSpliced(to, 0, ...moved),
            rules.map(([one, given], index) => [one, index === at ? rule[1] : given] as const),
          ][how] ??
          rules.map(
            ([one, given], index) => [index === at ? rewritten(one, rule[0], to) : one, given] as const,
          )
        return [before, { ...before, rules: after }]
      }),
    },
  )
}

/** The condition with a different operand: a percentage rises or falls, any other gets one of the same form. */
function rewritten(condition: Condition, other: Condition, at: number): Condition {
  if (condition.operator === "percentage") return { ...condition, value: `${[0, 10, 25, 50, 100][at]}` }
  return condition.operator === other.operator ? { ...condition, value: other.value } : other
}

/** Contexts with any strings, numbers, versions, days and lists, some of which rules name. */
function randomContexts(seed: number, count: number): readonly Context[] {
  let state = seed
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) % most
  }
  const scalar = [
    () => values[below(values.length)],
    () => "abAB15".charAt(below(6)) + "abAB15".charAt(below(6)) + "abAB15".charAt(below(6)),
    () => below(4_000) / 100 - 20,
    () => `${below(3)}.${below(4)}${["", "-a", "-a.0", ".1"][below(4)]}`,
    () => new Date(Date.UTC(2025 + below(3), below(12), below(28), below(24))),
    () => `user-${below(1e6)}`,
  ]
  const one = () => scalar[below(scalar.length)]?.()
  const value = () => (below(8) === 0 ? Array.from({ length: below(4) }, one) : one())
  return Array.from({ length: count }, () => ({ x: value(), ...(below(4) === 0 ? {} : { y: value() }) }))
}

const alone = (condition: fc.Arbitrary<Condition>) =>
  fc.oneof({ weight: 6, arbitrary: condition }, { weight: 1, arbitrary: presence })

describe("everyone whose value changes is reported, and everyone reported has a changed value", () => {
  test.each(Object.entries(families))("%s", (_, family) => {
    fc.assert(
      fc.property(pairOf(alone(family)), world, ([before, after], contexts) => {
        expect(check(before, after, contexts)).toEqual([])
      }),
      { numRuns: runs(125) },
    )
  })

  test("all of them together, in groups", () => {
    let [transitions, doubts] = [0, 0]
    fc.assert(
      fc.property(
        pairOf(composite(alone(fc.oneof(...Object.values(families))))),
        world,
        ([before, after], contexts) => {
          const kinds = check(before, after, contexts)
          transitions++
          if (kinds.length > 0) doubts++
          // If a share decides, too, only some thousand strings are tried.
          for (const kind of kinds) expect(["bound", "mixture"]).toContain(kind)
        },
      ),
      { numRuns: runs(125) },
    )
    expect(doubts).toBeLessThan(3 + transitions * 0.02) // only few depend on chance
  })

  test("if an expression or the project's own operator decides, it says may", () => {
    const kinds = new Set<string>()
    const unsure = fc.oneof(...Object.values(families), expression, own, expression, own)
    const off: Flag = { enabled: true, defaultValue: "off", rules: [] }
    const decidedBy = (operator: string, value: string): readonly [Flag, Flag] => [
      off,
      { ...off, rules: [[{ attribute: "x", operator, value }, "on"]] },
    ]
    fc.assert(
      fc.property(pairOf(composite(alone(unsure))), ([before, after]) => {
        for (const kind of checkTold(before, after)) kinds.add(kind)
      }),
      { numRuns: runs(125), examples: [[decidedBy("ours", "1")], [decidedBy("matches", "^zz[0-9]{9}$")]] },
    )
    expect([...kinds]).toEqual(expect.arrayContaining(["expression", "operator"]))
  })

  test("for 20,000 random contexts of each flag, too", () => {
    const any = composite(alone(fc.oneof(...Object.values(families))))
    fc.assert(
      fc.property(pairOf(any), fc.integer(), ([before, after], seed) => {
        check(before, after, randomContexts(seed, 20_000))
      }),
      { numRuns: runs(2) },
    )
  })

  test("for contexts with the types that the project declares, too", () => {
    const scalar = { name: "x", type: "text", description: "", values: undefined } as const
    const attributes = new Map([["x", scalar]])
    const plain = worlds.map((contexts) => contexts.filter(({ x }) => typeof x !== "object"))
    fc.assert(
      fc.property(
        pairOf(composite(alone(fc.oneof(...Object.values(families))))),
        fc.constantFrom(...plain),
        ([before, after], contexts) => {
          check({ ...before, attributes }, { ...after, attributes }, contexts)
        },
      ),
      { numRuns: runs(125) },
    )
  })

  test("for a new flag, too", () => {
    fc.assert(
      fc.property(
        pairOf(composite(alone(fc.oneof(...Object.values(families))))).map(([flag]) => flag),
        world,
        (flag, contexts) => {
          const side = sideWith(flag)
          const { changes } = JSON.parse(diffOf({ ...side, flags: [] }, side).json)
          const isSilent = changes[0].affected.length === 0
          if (isSilent)
            for (const one of contexts) expect(givenTo(givenOf(side), one)).toBe(flag.defaultValue)
          else checkAffected(undefined, givenOf(side), changes[0].affected, contexts)
        },
      ),
      { numRuns: runs(125) },
    )
  })

  test("for given contexts, too", async () => {
    const texts = (worlds[0] ?? []).filter(
      (context) => !Object.values(context).some((one) => one instanceof Date),
    )
    const stdin = texts.map((context) => `${JSON.stringify(context)}\n`).join("")
    const pairs = pairOf(composite(alone(fc.oneof(...Object.values(families)))))
    await fc.assert(
      fc.asyncProperty(pairs, async ([before, after]) => {
        const sides = [sideWith(before), sideWith(after)] as const
        const [one, other] = sides.map(givenOf) as [Given, Given]
        const moved = texts.flatMap((context, at) => {
          const [from, to] = [givenTo(one, context), givenTo(other, context)]
          return from === to ? [] : [{ line: at + 1, step: `${from} ${to}` }]
        })
        const replay = await replayContexts("-", ...sides, undefined, testHost({ stdin }))
        expect(replay).toMatchObject({ count: texts.length, affected: moved.length, unknown: 0 })
        const steps = [...Map.groupBy(moved, ({ step }) => step)].map(([step, own]) => [
          step,
          own.length,
          own.slice(0, 3).map(({ line }) => line),
        ])
        expect(
          replay.steps.map((step) => [
            `${step.before} ${step.after}`,
            step.count,
            step.first.map(({ line }) => line),
          ]),
        ).toEqual(steps)
      }),
      { numRuns: runs(10) },
    )
  })
})
