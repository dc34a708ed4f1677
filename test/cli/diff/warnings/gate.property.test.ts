// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { sharesIn } from "../../../../cli/conditions/share-range.ts"
import type { Flag, Rule } from "../../../../cli/language/flag.ts"
import type { Context } from "../../../../sdk/evaluation/evaluation.ts"
import { readPage } from "../../../docs/pages.ts"
import { runs } from "../../../runs.ts"
import { matches } from "../matches.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

// Brute force: whatever an edit does to users of a protected environment has a warning, but for what docs/ci.md lets through.

/** How the green rows of the table there begin. */
const green = {
  grows: "more get a value instead of the default",
  newValue: "a rule that shares no users out returns a value other than the default",
  newDefault: "some get the new default instead of the old one",
  noOne: "no one is affected",
}

const values = { boolean: [false, true], string: ["off", "a", "b"] } as const
const is = (attribute: string, operator: string, value?: unknown) => ({ attribute, operator, value })
const by = fc.constantFrom("userId", "session")
const seed = fc.constantFrom<object>({}, {}, { seed: "s" }, { seed: "t" })
const layer = fc.constantFrom<object>({}, { seed: "layer" }, { seed: "holdout" })
const percent = fc.constantFrom(0, 5, 10, 20, 34, 50, 60, 90, 100)
const condition = fc.oneof(
  fc.constantFrom(
    is("country", "equals", "DE"),
    is("country", "in", ["DE", "FR"]),
    is("country", "in", ["FR"]),
  ),
  fc.constantFrom(is("plan", "equals", "pro"), is("plan", "notEquals", "pro"), is("plan", "equals", "free")),
  fc.constantFrom(is("userId", "exists"), is("session", "notExists"), { operator: "always" }),
  fc.record({
    share: fc.record({ by, to: percent }).chain((share) => layer.map((own) => ({ ...share, ...own }))),
  }),
)
const guard = fc.oneof(
  { weight: 2, arbitrary: condition },
  { weight: 1, arbitrary: fc.tuple(condition, condition).map((all) => ({ all })) },
  { weight: 1, arbitrary: condition.map((part) => ({ none: [part] })) },
)

/** A rule of a flag with these values. */
const ruleOf = (given: readonly unknown[]) => {
  const value = fc.constantFrom(...given)
  const shares = fc.constantFrom([50, 50], [40, 60], [34, 33, 33], [10, 10], [20], [40], [90, 10], [80, 20])
  const split = fc
    .record({ by, shares, order: fc.shuffledSubarray([...given], { minLength: given.length }), own: seed })
    .map(({ by, shares, order, own }) => ({
      split: {
        by,
        ...own,
        into: shares.slice(0, order.length).map((share, at) => ({ share, returnValue: order[at] })),
      },
    }))
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .record({ when: guard, returnValue: value })
        .map(({ when, ...rest }) => ({ ...when, ...rest })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(split, fc.option(guard, { nil: {}, freq: 3 }))
        .map(([own, when]) => ({ ...when, ...own })),
    },
  )
}

interface Edit {
  readonly before: readonly object[]
  readonly after: readonly object[]
  readonly type: keyof typeof values
  /** Before and after. */
  readonly defaults: readonly [unknown, unknown]
}

const edit: fc.Arbitrary<Edit> = fc.constantFrom<Edit["type"][]>("boolean", "string").chain((type) => {
  const rule = ruleOf(values[type])
  const [usual] = values[type]
  const value = fc.constantFrom<unknown>(...values[type])
  return fc
    .record({
      defaults: fc.oneof(
        { weight: 2, arbitrary: fc.constant([usual, usual] as const) },
        { weight: 1, arbitrary: fc.tuple(value, value) },
      ),
      before: fc.array(rule, { maxLength: 3 }),
      rule,
      at: fc.nat(3),
      removed: fc.nat(1),
      added: fc.nat(1),
      other: fc.array(rule, { maxLength: 2 }),
      isEdit: fc.constantFrom(true, true, true, false),
    })
    .map(({ defaults, before, rule, at, removed, added, other, isEdit }) => ({
      type,
      defaults,
      before,
      after: isEdit ? before.toSpliced(at, removed, ...(added > 0 ? [rule] : [])) : other,
    }))
})

const users: readonly Context[] = Array.from({ length: 1_200 }, (_, at) => ({
  ...(at % 10 > 0 && { userId: `u${at}` }),
  ...(at % 7 > 0 && { session: `s${at * 7}` }),
  ...([{}, { country: "DE" }, { country: "FR" }, { country: "US" }, { country: "GB" }][at % 5] as object),
  ...([{}, { plan: "pro" }, { plan: "free" }][at % 3] as object),
}))

/** `undefined` if lint refuses the rules. */
function sideWith(rules: readonly object[], type: Edit["type"], defaultValue: unknown) {
  try {
    return sideOf({ f: { type, defaultValue, environments: { production: { enabled: true, rules } } } }, shop)
  } catch {
    return undefined
  }
}

/** The rule that decides for a user, and the value. */
function decision({ configurations, key, defaultValue }: Flag, user: Context) {
  const rule = configurations.get("production")?.rules.find(({ sent }) => matches(sent, user, key))
  return { rule, value: rule === undefined ? defaultValue : rule.gives }
}

const isArm = (rule: Rule | undefined) => rule?.item.split !== undefined
const sharesOut = (rule: Rule | undefined) => rule !== undefined && sharesIn(rule.condition).length > 0

/** The green row that fits a change of one user's value. */
function greenRow(
  had: unknown,
  has: unknown,
  [before, after]: Edit["defaults"],
): keyof typeof green | undefined {
  if (had === before) return has === after ? "newDefault" : "grows"
  return has === after ? undefined : "newValue"
}

test("what is green is on the list of what may be", () => {
  const rows = [...readPage("docs/ci.md").text.matchAll(/^\| (.*\S) +\| green +\|$/gm)].map(([, row]) => row)
  expect(rows).toEqual(Object.values(green).map((start) => expect.stringMatching(`^${start}`)))
  fc.assert(
    fc.property(edit, ({ before, after, type, defaults }) => {
      const [side, newSide] = [sideWith(before, type, defaults[0]), sideWith(after, type, defaults[1])]
      const [old, now] = [side?.flags[0], newSide?.flags[0]]
      fc.pre(old !== undefined && now !== undefined)
      if (!side || !newSide || !old || !now) return
      const changes = users.flatMap((user) => {
        const [had, has] = [decision(old, user), decision(now, user)]
        return had.value === has.value ? [] : [{ had, has }]
      })
      if (changes.length < users.length / 100 || diffOf(side, newSide).warnings.length > 0) return
      const moves = new Set(changes.map(({ had, has }) => `${had.value} → ${has.value}`))
      for (const { had, has } of changes) {
        expect(greenRow(had.value, has.value, defaults), `${had.value} → ${has.value}`).toBeDefined()
        expect(moves, "no two groups swap their values").not.toContain(`${has.value} → ${had.value}`)
        const isDealtAnew = isArm(had.rule) && sharesOut(has.rule) && type === "string"
        const took = old.configurations
          .get("production")
          ?.rules.some(({ item, gives }) => item.split && gives === has.value)
        const left = now.configurations
          .get("production")
          ?.rules.some(({ item, gives }) => item.split && gives === had.value)
        expect(isDealtAnew && (took || left), "no one gets another arm").not.toBe(true)
      }
    }),
    { numRuns: runs(60) },
  )
})
