// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { judgeLane } from "../../../cli/diff/lane/judge.ts"
import { outsideOf } from "../../../cli/diff/lane/outside.ts"
import type { Side } from "../../../cli/diff/sides/side.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { loadExpressions } from "../../../sdk/evaluation/expression.ts"
import { createShares } from "../../../sdk/evaluation/share.ts"
import { runs } from "../../runs.ts"
import { matcherOf } from "../conditions/world.ts"
import { comparison, composite, onWire, share, type Written } from "../invariants/arbitraries.ts"
import { sideOf } from "./sides.ts"

// Small worlds: a flag before and after an edit, and all contexts that distinguish its rules. The SDK judges.

const compileExpression = await loadExpressions()
const shareOf = createShares()
const points = 5
const staff = { attribute: "x", operator: "equals", value: "a" }
const isStaff = matcherOf(onWire(staff))

const limits = {
  default: "gives: default",
  segment: "only: { segment: staff }",
  growth: `grows: ${points}`,
}
type Limit = keyof typeof limits

const projectText = (lane: readonly Limit[]) =>
  ["project: p", "environments: [production]", "fastLane:"]
    .concat(lane.map((limit) => `  - { environments: [production], ${limits[limit]} }`))
    .join("\n")

const values = ["control", "red", "green"]
const value = fc.constantFrom(...values)
const rollout = fc
  .tuple(fc.constantFrom("s", undefined), fc.constantFrom(10, 13, 15, 20, 50))
  .map(([seed, to]): Written => ({ share: { by: "user", to, ...(seed && { seed }) } }))
const rule = fc
  .tuple(composite(fc.oneof(comparison, comparison, share, rollout)), value)
  .map(([condition, returnValue]): Written => ({ ...condition, returnValue }))
const staffRule = value.map((returnValue): Written => ({ segment: "staff", returnValue }))
const rules = fc.array(fc.oneof({ weight: 4, arbitrary: rule }, { weight: 1, arbitrary: staffRule }), {
  minLength: 1,
  maxLength: 4,
})

/** One edit of a list of rules: most are small, as in the lane. */
const edit = fc.record({
  kind: fc.constantFrom("insert", "staff", "drop", "grow", "grow", "value", "move", "rewrite"),
  at: fc.nat(),
  rule,
  staffRule,
  rules,
  by: fc.constantFrom(-5, 2, 3, 5, 7),
  value,
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

function edited(before: readonly Written[], { kind, at, by, ...given }: Edit): readonly Written[] {
  const position = at % before.length
  const old = before[position] ?? {}
  switch (kind) {
    case "insert":
      return before.toSpliced(position, 0, given.rule)
    case "staff":
      return before.toSpliced(0, 0, given.staffRule)
    case "drop":
      return before.toSpliced(position, 1)
    case "grow": {
      const range = old.share as { readonly from?: number; readonly to: number } | undefined
      if (range === undefined) return before.toSpliced(position, 1, { ...old, returnValue: given.value })
      const to = Math.min(100, Math.max((range.from ?? 0) + 1, range.to + by))
      return before.with(position, { ...old, share: { ...range, to } })
    }
    case "value":
      return before.with(position, { ...old, returnValue: given.value })
    case "move":
      return [...before.toSpliced(position, 1), old]
    case "rewrite":
      return given.rules
  }
}

const world = fc.record({
  rules,
  edit,
  lane: fc.subarray(["default", "segment", "growth"] as const, { minLength: 1 }),
  switchedOff: fc.constantFrom(false, false, false, false, true),
  newDefault: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, ...values),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

const scalars = [undefined, "a", "b", "c", ["a"], ["b", "c"]]
const users = [undefined, ...Array.from({ length: 14 }, (_, at) => `u${at}`)]
const contexts: readonly Context[] = scalars.flatMap((x) =>
  scalars.slice(0, 4).flatMap((y) => users.map((user) => JSON.parse(JSON.stringify({ x, y, user })))),
)

/** A flag in production, with the lane's segment; lint's errors, such as a rule that appears twice, are no cases. */
function sideWith(
  own: readonly Written[],
  lane: readonly Limit[],
  enabled = true,
  defaultValue = "control",
): Side {
  const environments = { production: { enabled, rules: own } }
  try {
    const side = sideOf({ f: { type: "string", defaultValue, environments } }, projectText(lane), { staff })
    return { ...side, segments: side.flags[0]?.references as NonNullable<Side["segments"]> }
  } catch (error) {
    if (/duplicate-rule|bad-share/.test(`${error}`)) fc.pre(false)
    throw error
  }
}

function sidesOf({ rules, edit, lane, switchedOff, newDefault }: World): readonly [Side, Side] {
  return [sideWith(rules, lane), sideWith(edited(rules, edit), lane, !switchedOff, newDefault)]
}

async function valueIn({ flags }: Side) {
  const document = { flags: flags.map((flag) => timelessEntry(flag, "production")) }
  const evaluator = await createEvaluator(document as Parameters<typeof createEvaluator>[0])
  return (context: Context) => {
    const evaluated = evaluator.evaluate("f", context)
    return "value" in evaluated ? String(evaluated.value) : ""
  }
}

/** Whether some contexts that change lie within a range of one seed that is no wider than a rollout may grow. */
function areOfGrowth(changed: readonly Context[]): boolean {
  return ["s", "t", "f"].some((seed) => {
    const positions = changed.map(({ user }) => (shareOf(seed)(String(user)) / 2 ** 32) * 100)
    const hasUsers = changed.every(({ user }) => user !== undefined)
    return hasUsers && Math.max(...positions) - Math.min(...positions) <= points
  })
}

async function check(world: World): Promise<boolean> {
  const [before, after] = sidesOf(world)
  const [was, is] = [await valueIn(before), await valueIn(after)]
  const { lane, newDefault = "control" } = world
  const isAllowed = (context: Context) =>
    (lane.includes("segment") && isStaff(context) === true) ||
    (lane.includes("default") && newDefault === "control" && is(context) === "control")
  const verdict = judgeLane(before, after, compileExpression)
  const changed = contexts.filter((context) => was(context) !== is(context) && !isAllowed(context))
  if (verdict.isInside && changed.length > 0) {
    expect(lane).toContain("growth")
    expect(changed.filter((context) => was(context) !== "control")).toEqual([])
    expect(new Set(changed.map(is)).size).toBe(1)
    expect(areOfGrowth(changed)).toBe(true)
  }
  if (!verdict.isInside) {
    // Whoever is outside is shown, and is outside.
    const [pair, other] = [before.flags[0], after.flags[0]]
    if (pair === undefined || other === undefined) throw new Error("no flag")
    const question = {
      pair: { kind: "kept", before: pair, after: other },
      environment: "production",
    } as const
    const entries = before.project?.fastLane ?? []
    for (const { witness } of outsideOf({ ...question, base: before, compileExpression }, entries)) {
      if (witness === undefined) throw new Error("not decided")
      expect([was(witness) === is(witness), isAllowed(witness)]).toEqual([false, false])
    }
  }
  return verdict.isInside
}

test("nothing that changes outside is let through, and whoever is outside is shown", async () => {
  let inside = 0
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      if (await check(one)) inside++
    }),
    { numRuns: runs(300) },
  )
  expect(inside).toBeGreaterThan(runs(300) / 20)
})

test("a rollout that grows by no more than the lane allows is let through, and one that grows more is not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        others: fc.array(comparison, { maxLength: 2 }),
        seed: fc.constantFrom("s", undefined),
        from: fc.integer({ min: 1, max: 90 }),
        by: fc.integer({ min: 1, max: 9 }),
      }),
      async ({ others, seed, from, by }) => {
        const before = others.map((one): Written => ({ ...one, returnValue: "red" }))
        const grown = (to: number) => ({
          share: { by: "user", to, ...(seed && { seed }) },
          returnValue: "green",
        })
        const side = (to: number) => sideWith([...before, grown(to)], ["growth"])
        const { isInside } = judgeLane(side(from), side(from + by), compileExpression)
        const isReached = await valueIn(side(100))
        const reaches = contexts.some((context) => isReached(context) === "green")
        if (reaches) expect(isInside).toBe(by <= points)
      },
    ),
    { numRuns: runs(100) },
  )
})
