// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import type { Rule } from "../../../../sdk/contract/snapshot.ts"
import { parseCondition } from "../../../../sdk/evaluation/condition.ts"
import { shareIn } from "../../../../sdk/evaluation/operators.ts"
import { createShares } from "../../../../sdk/evaluation/share.ts"
import { runs } from "../../../runs.ts"
import { diffOf, sideOf } from "../sides.ts"

// Each number beside a value is compared with how many of 20,000 users get that value.

const users = Array.from({ length: 20_000 }, (_, at) => `user-${at}`)

const key = "f"
const sharesOf = createShares()
const points = new Map<string, Float64Array>()

/** Where users are in the order of a seed, in percent. */
function pointsOf(seed: string): Float64Array {
  const known = points.get(seed) ?? Float64Array.from(users, (user) => (sharesOf(seed)(user) * 100) / 2 ** 32)
  points.set(seed, known)
  return known
}

type Written = Readonly<Record<string, unknown>>

interface Flag {
  readonly enabled: boolean
  readonly defaultValue: string
  readonly rules: readonly Written[]
}

const value = fc.constantFrom("control", "green", "blue", "off")
const seed = fc.constantFrom(undefined, undefined, "s", "h")
const twentieth = (min: number, max: number) => fc.integer({ min, max }).map((at) => at * 5)
const german = { attribute: "country", operator: "equals", value: "DE" }
const holdout = { none: [{ share: { by: "id", to: 10, seed: "h" } }] }
const beside = fc.constantFrom<Written>({}, {}, {}, {}, german, holdout)

const splitRule = fc
  .record({ arms: fc.array(fc.tuple(twentieth(1, 12), value), { minLength: 1, maxLength: 3 }), seed, beside })
  .map(({ arms, seed, beside }): Written => {
    const into = arms
      .filter((_, at) => arms.slice(0, at + 1).reduce((sum, [share]) => sum + share, 0) <= 100)
      .map(([share, returnValue]) => ({ share, returnValue }))
    return { ...beside, split: { by: "id", ...(seed && { seed }), into } }
  })
const shareRule = fc
  .record({ ends: fc.tuple(fc.nat(20), fc.nat(20)), seed, returnValue: value })
  .filter(({ ends: [one, other] }) => one !== other)
  .map(({ ends, seed, returnValue }): Written => {
    const [from, to] = [Math.min(...ends) * 5, Math.max(...ends) * 5]
    return { share: { by: "id", from, to, ...(seed && { seed }) }, returnValue }
  })
const upTo = fc.record({ to: twentieth(1, 20), returnValue: value }).map(
  ({ to, returnValue }): Written => ({
    attribute: "id",
    operator: "percentage",
    value: `${to}`,
    returnValue,
  }),
)
const germanRule = value.map((returnValue): Written => ({ ...german, returnValue }))
const always = value.map((returnValue): Written => ({ operator: "always", returnValue }))
const rule = fc.oneof(
  { weight: 4, arbitrary: splitRule },
  { weight: 2, arbitrary: shareRule },
  { weight: 2, arbitrary: upTo },
  { weight: 1, arbitrary: germanRule },
)
const flag = fc.record({
  enabled: fc.constantFrom(true, true, true, true, false),
  defaultValue: value,
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
})
const heldOut = fc
  .record({ to: twentieth(1, 4), returnValue: value })
  .map(({ to, returnValue }): Written => ({ share: { by: "id", to, seed: "h" }, returnValue }))

/** A flag, and what one edit of an author makes of it. */
const edit: fc.Arbitrary<readonly [Flag, Flag]> = fc
  .record({
    before: flag,
    at: fc.nat(1),
    rule,
    always,
    heldOut,
    defaultValue: value,
    how: fc.constantFrom(
      ...(["removed", "edited", "sized", "added", "moved", "won", "held", "switched", "default"] as const),
    ),
  })
  .map(({ before, at: position, rule, always, heldOut, defaultValue, how }) => {
    const at = Math.min(position, before.rules.length - 1)
    const rules = {
      removed: before.rules.toSpliced(at, 1),
      edited: before.rules.toSpliced(at, 1, rule),
      sized: before.rules.map((rule, position) => (position === at ? resized(rule) : rule)),
      added: before.rules.toSpliced(at, 0, rule),
      moved: before.rules.toReversed(),
      won: [...before.rules.slice(0, at), always],
      held: [heldOut, ...before.rules],
      switched: before.rules,
      default: before.rules,
    }[how]
    const after = { ...before, rules }
    if (how === "switched") return [before, { ...after, enabled: !before.enabled }]
    return [before, how === "default" ? { ...after, defaultValue } : after]
  })

/** A split whose first two arms change their sizes; any other rule stays as it is. */
function resized(rule: Written): Written {
  const split = "split" in rule ? (rule.split as { into: readonly { share: number }[] }) : undefined
  if (split === undefined) return rule
  const [first, second, ...more] = split.into
  if (first === undefined || second === undefined) return rule
  const into = [{ ...first, share: second.share }, { ...second, share: first.share }, ...more]
  return { ...rule, split: { ...split, into } }
}

function sideWith({ enabled, defaultValue, rules }: Flag) {
  const distinct = new Map(rules.map((one) => [JSON.stringify(one), one]))
  const configuration = { enabled, rules: [...distinct.values()] }
  return sideOf({ [key]: { type: "string", defaultValue, environments: { production: configuration } } })
}

type Side = ReturnType<typeof sideWith>

/** What each user gets, who is in Germany or nowhere. */
function valuesOf({ flags: [flag] }: Side, isGerman: boolean): readonly string[] {
  const configuration = flag?.configurations.get("production")
  const rules = configuration?.enabled ? configuration.rules : []
  const isIn = rules.map(({ sent }) => matcherOf(sent, isGerman))
  return users.map((_, user) => {
    const at = isIn.findIndex((matches) => matches(user))
    return String(at < 0 ? flag?.defaultValue : rules[at]?.gives)
  })
}

function matcherOf(
  condition: Omit<Rule, "id" | "returnValue">,
  isGerman: boolean,
): (user: number) => boolean {
  const range = shareIn(condition.operator, condition.value, key)
  if (range !== undefined) {
    const at = pointsOf(range.seed)
    const [from, to] = [range.from / 2 ** 32, range.to / 2 ** 32]
    return (user) => from <= (at[user] ?? 0) && (at[user] ?? 0) < to
  }
  const parsed = parseCondition(condition)
  if ("parts" in parsed) {
    const parts = parsed.parts.map((part) => matcherOf(part.condition, isGerman))
    if (parsed.kind === "all") return (user) => parts.every((matches) => matches(user))
    return (user) => parts.some((matches) => matches(user)) === (parsed.kind === "any")
  }
  return () => condition.operator === "always" || isGerman
}

/** Users whom a sentence limits itself to, by the words for them; `undefined` for words that are not understood. */
function limitsIn(words: string) {
  const limits: ((user: number) => boolean)[] = []
  let isGerman = false
  const rest = words
    .replace("neither in `DE` nor among", "outside `DE` outside")
    .replace(/between ([\d.]+) % and ([\d.]+) % by `id`(?: \(seed `(\w)`\))?/g, (_, from, to, seed) =>
      limit((point) => Number(from) <= point && point < Number(to), seed),
    )
    .replace(/(among|outside) the first ([\d.]+) % by `id`(?: \(seed `(\w)`\))?/g, (_, where, to, seed) =>
      limit((point) => point < Number(to) === (where === "among"), seed),
    )
    .replace(/in `DE`/g, () => {
      isGerman = true
      return ""
    })
    .replace(/outside `DE`|users|everyone|with any `id`|[ ,]|and/g, "")
  const isUnderstood = rest === "" || rest === "of"
  return isUnderstood ? { isGerman, isIn: (user: number) => limits.every((one) => one(user)) } : undefined

  function limit(isIn: (point: number) => boolean, seed = key): string {
    const at = pointsOf(seed)
    limits.push((user) => isIn(at[user] ?? 0))
    return ""
  }
}

/** What a sentence says: of which users, how many percent get a value, or move from one to another. */
interface Said {
  readonly whom: string
  readonly before: ReadonlyMap<string, number>
  readonly after: ReadonlyMap<string, number>
  readonly moves: readonly (readonly [percent: number, from: string, to: string])[]
  readonly sum: number | undefined
  /** Those who leave an experiment; some of them may keep their value. */
  readonly left: number | undefined
}

const name = '`"(\\w+)"`'
const number = "([\\d.]+) %"

function read(sentence: string): Said | undefined {
  const nothing = {
    whom: "",
    before: new Map(),
    after: new Map(),
    moves: [],
    sum: undefined,
    left: undefined,
  }
  const steps = [...sentence.matchAll(new RegExp(`${name} (?:stays ${number}|([\\d.]+) → ${number})`, "g"))]
  const ofAll = (at: 3 | 4) => new Map(steps.map((step) => [step[1] ?? "", Number(step[2] ?? step[at])]))
  const changed = new RegExp(`(?:(?:^|: )users|${number} of users)(.*?) change \\((.*?)\\)`).exec(sentence)
  if (changed) {
    const moves = [...(changed[3] ?? "").matchAll(new RegExp(`${number}:? (.*?) → ([^,)]*)`, "g"))]
    return {
      whom: changed[2] ?? "",
      before: ofAll(3),
      after: ofAll(4),
      moves: moves.map(([, percent, from = "", to = ""]) => [Number(percent), from, to]),
      sum: Number(changed[1] ?? 100),
      left: undefined,
    }
  }
  const movesTo = (value = "") =>
    [...sentence.matchAll(new RegExp(`${number} from (${name})`, "g"))].map(
      ([, percent, from = ""]) => [Number(percent), from, `\`"${value}"\``] as const,
    )
  const left = new RegExp(
    `^(?:a further )?${number} of users(.*?)(?: leave the experiment)?(?: \\(.*\\))? (?:and|all) get ${name}(?:: a change(?: from (${name}))? for ${number})?`,
  ).exec(sentence)
  if (left) {
    const all = { ...nothing, whom: left[2] ?? "", left: Number(left[1]), sum: Number(left[6] ?? left[1]) }
    return { ...all, moves: left[4] ? [[all.sum, left[4], `\`"${left[3]}"\``]] : movesTo(left[3]) }
  }
  const won = new RegExp(
    `^(?:everyone|users)(.*?) gets? ${name}: a change(?: from (${name}))? for ${number}`,
  ).exec(sentence)
  if (won) {
    const [, whom = "", to = "", from, , percent] = won
    const moves = from === undefined ? movesTo(to) : [[Number(percent), from, `\`"${to}"\``] as const]
    return { ...nothing, whom, moves, sum: Number(percent) }
  }
  const replaced = new RegExp(`^(${name}) instead of (${name}) for ${number} of users(.*?), by`).exec(
    sentence,
  )
  if (replaced) {
    const [, to = "", , from = "", , percent, whom = ""] = replaced
    return { ...nothing, whom, moves: [[Number(percent), from, to]], sum: Number(percent) }
  }
  const share = new RegExp(
    `^the share of users(.*?) who get ${name} (?:rises|falls) from ${number} to ${number}`,
  ).exec(sentence)
  if (share) {
    const [, whom = "", given = "", from, to] = share
    return {
      ...{ ...nothing, whom },
      before: new Map([[given, Number(from)]]),
      after: new Map([[given, Number(to)]]),
    }
  }
  const given = new RegExp(`^(?:of users(.*?), )?((?:${number}(?: get)? ${name}, )+)by`).exec(sentence)
  if (given) {
    const parts = [...(given[2] ?? "").matchAll(new RegExp(`${number}(?: get)? ${name}`, "g"))]
    const after = new Map(parts.map((part) => [part[2] ?? "", Number(part[1])]))
    return { ...nothing, whom: given[1] ?? "", after }
  }
  return undefined
}

/** Beyond chance: a share of 20,000 users differs from its percentage by more than this once in a billion. */
const chance = 6 * Math.sqrt(2_500 / users.length)

let [sentences, understood] = [0, 0]

/** `undefined` if arms of a split are a rule of the same flag, which lint refuses. */
function sidesOf(before: Flag, after: Flag): readonly [Side, Side] | undefined {
  try {
    return [sideWith(before), sideWith(after)]
  } catch (error) {
    if (String(error).includes("duplicate-rule")) return undefined
    throw error
  }
}

function check(before: Flag, after: Flag): void {
  const sides = sidesOf(before, after)
  if (sides === undefined) return
  const { changes } = diffOf(...sides)
  const said = new Set(changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who))))
  for (const sentence of said) {
    const numbers = read(sentence)
    if (numbers === undefined && !/\d %.*(get|rises|falls|change)/.test(sentence)) continue
    sentences++
    const limits = numbers && limitsIn(numbers.whom)
    if (numbers === undefined || limits === undefined) continue
    understood++
    const [was, is] = sides.map((side) => valuesOf(side, limits.isGerman))
    const counted = users.flatMap((_, user) => (limits.isIn(user) ? [user] : []))
    const percentOf = (isCounted: (user: number) => boolean) =>
      (100 * counted.filter(isCounted).length) / counted.length
    const most = (chance * Math.sqrt(users.length)) / Math.sqrt(counted.length)
    const expectNear = (what: string, printed: number, counted: number) => {
      if (Math.abs(printed - counted) > most)
        expect([sentence, what, printed]).toEqual([sentence, what, counted])
    }
    for (const [given, percent] of numbers.before)
      expectNear(
        `${given} before`,
        percent,
        percentOf((user) => was?.[user] === given),
      )
    for (const [given, percent] of numbers.after)
      expectNear(
        `${given} after`,
        percent,
        percentOf((user) => is?.[user] === given),
      )
    for (const [percent, from, to] of numbers.moves) {
      const [one, other] = [from, to].map((text) => text.replace(/[`"]/g, ""))
      expectNear(
        `${from} → ${to}`,
        percent,
        percentOf((user) => was?.[user] === one && is?.[user] === other),
      )
    }
    if (numbers.left !== undefined) {
      const [, , given] = numbers.moves[0] ?? []
      const getIt = percentOf((user) => is?.[user] === given?.replace(/[`"]/g, ""))
      // Some who leave keep their value, but all of them get one.
      expect(numbers.left).toBeGreaterThanOrEqual(numbers.sum ?? 0)
      expect(numbers.left).toBeLessThanOrEqual(getIt + most)
    }
    if (numbers.sum === undefined) continue
    expectNear(
      "sum",
      numbers.sum,
      percentOf((user) => was?.[user] !== is?.[user]),
    )
    const isWhole = numbers.moves.length > 0 && !/ and \d+ more\)/.test(sentence)
    const sum = numbers.moves.reduce((sum, [percent]) => sum + percent, 0)
    if (isWhole && Math.abs(sum - numbers.sum) > 1e-6)
      expect([sentence, sum]).toEqual([sentence, numbers.sum])
  }
}

test("numbers beside values are counted among users", () => {
  fc.assert(
    fc.property(edit, ([before, after]) => check(before, after)),
    { numRuns: runs(50) },
  )
  expect(understood).toBeGreaterThan(sentences * 0.7 - 5) // of few sentences, chance decides how many are understood
})

test("in a new flag, everyone else gets the value that the last rule for everyone or the default gives", () => {
  const besideAnother = fc.tuple(twentieth(1, 20), value).map(([to, returnValue]): Written => {
    const all = ["id", "plan"].map((by) => ({ share: { by, to } }))
    return { all, returnValue }
  })
  const written = fc.record({
    defaultValue: value,
    rules: fc.uniqueArray(fc.oneof(rule, besideAnother), {
      ...{ minLength: 1, maxLength: 3 },
      selector: (one) => JSON.stringify(one),
    }),
    last: fc.option(always),
  })
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(written, ({ defaultValue, rules, last }) => {
      const flag = { enabled: true, defaultValue, rules: last === null ? rules : [...rules, last] }
      const [, after] = sidesOf(flag, flag) ?? []
      if (after === undefined) return
      const { changes } = diffOf(sideOf({}), after)
      const sentences = changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who)))
      const given = sentences.flatMap((one) => /^`"(\w+)"` for everyone else$/.exec(one)?.[1] ?? [])
      for (const one of given)
        expect([one, sentences]).toEqual([last?.returnValue ?? defaultValue, sentences])
      seen.add(given.length > 0)
    }),
    { numRuns: runs(300) },
  )
  expect(seen).toEqual(new Set([true, false]))
})
