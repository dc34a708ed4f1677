import { isDeepStrictEqual } from "node:util"
import { expect } from "vitest"
import type { ConfigurationMeaning } from "../../../cli/diff/differences/difference.ts"
import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { values, worldOf } from "../conditions/world.ts"
import { matches } from "./matches.ts"

// Reads what diff says as people and programs would, and holds it against the SDK's evaluation of every context of a
// small world.

/** A flag in one environment on one side. */
export interface Given {
  readonly key: string
  readonly defaultValue: Json
  readonly configuration: ConfigurationMeaning | undefined
}

/** A member of `affected` in the JSON. */
export interface Affected {
  readonly who: string
  readonly groups?: readonly {
    readonly before?: Decision
    readonly after: Decision
    readonly witness?: Context
    readonly doubt?: string
  }[]
}

/** The position of the rule that decides, `null` for the default; and the value. */
interface Decision {
  readonly rule: number | null
  readonly value: Json
}

/** What decides for a context, by the SDK. */
export function decide({ key, defaultValue, configuration }: Given, context: Context): Decision {
  const rules = configuration?.enabled ? configuration.rules : []
  const rule = rules.findIndex((one) => matches(one, context, key))
  return rule === -1 ? { rule: null, value: defaultValue } : { rule, value: rules[rule]?.returnValue ?? null }
}

/** JSON text that does not depend on the order of members. */
export function canonical(value: unknown): string {
  if (typeof value !== "object") return JSON.stringify(value)
  return JSON.stringify(value, (_, one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/**
 * The contexts of a world, each with an attribute that JSON cannot say, alone or in a list, as a sure group without a
 * witness has it.
 */
function unsayable(world: readonly Context[]): readonly Context[] {
  const values = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, new Date(8.64e15), new Date(-8.64e15)]
  const names = [...new Set(world.flatMap((context) => Object.keys(context)))]
  return world.flatMap((context) =>
    names.flatMap((name) =>
      values.flatMap((value) => [
        { ...context, [name]: value },
        { ...context, [name]: [context[name] ?? [], value].flat() },
      ]),
    ),
  )
}

/**
 * Checks that who gets another value is in a group, that who is in a group gets another value, and that each sentence is
 * true of all plain contexts that it names. Gives the doubts. A witness has to be right in all its variants.
 */
export function checkAffected(
  before: Given,
  after: Given,
  affected: readonly Affected[],
  world: readonly Context[],
  variantsOf: (witness: Context) => readonly Context[] = (witness) => [witness],
): readonly string[] {
  const groups = affected.flatMap((one) => one.groups ?? [])
  const pairOf = (one: Decision | undefined, other: Decision) => `${one?.rule} ${other.rule}`
  const known = new Map(groups.map((group) => [pairOf(group.before, group.after), group]))
  const decisions = world.map((context) => [decide(before, context), decide(after, context)] as const)
  for (const [at, [one, other]] of decisions.entries()) {
    const group = known.get(pairOf(one, other))
    const isChanged = canonical(one.value) !== canonical(other.value)
    if ((group !== undefined) !== isChanged) expect([world[at], affected, isChanged]).toBe("in the list")
  }
  for (const group of groups) expect(canonical(group.before?.value)).not.toBe(canonical(group.after.value))
  for (const { before: one, after: other, witness, doubt } of groups) {
    if (doubt !== undefined) expect(witness).toBeUndefined()
    else if (witness === undefined)
      expect(
        unsayable([...world, ...worldOf(values).flatMap(variantsOf)]).some(
          (context) =>
            isDeepStrictEqual(decide(before, context), one) &&
            isDeepStrictEqual(decide(after, context), other),
        ),
      ).toBe(true)
    if (witness !== undefined)
      for (const context of variantsOf(witness))
        expect([context, decide(before, context), decide(after, context)]).toEqual([context, one, other])
  }
  for (const one of affected)
    for (const [at, context] of world.entries())
      if (isPlain(context)) checkSentence(one, [before, after], context, decisions[at])
  return groups.flatMap(({ doubt }) => doubt ?? [])
}

/** Checks what is said of a new flag: who gets what, and nothing where everybody gets the default. */
export function checkNew(flag: Given, affected: readonly Affected[], world: readonly Context[]): void {
  const groups = affected.flatMap((one) => one.groups ?? [])
  const rest = groups.at(-1)?.after.value ?? flag.defaultValue
  for (const context of world) {
    const decision = decide(flag, context)
    const group = groups.find(({ after }) => after.rule === decision.rule)
    const said = group === undefined ? rest : group.after.value
    if (canonical(decision.value) !== canonical(said)) expect([context, decision]).toBe(said)
  }
  for (const { after, witness } of groups)
    if (witness !== undefined) expect([witness, decide(flag, witness)]).toEqual([witness, after])
  for (const one of affected)
    for (const context of world)
      if (isPlain(context) && !one.who.startsWith("everyone else in "))
        checkSentence(one, [flag, flag], context, [decide(flag, context), decide(flag, context)])
}

/** Whether a context has neither lists nor objects; a Date is a scalar. */
function isPlain(context: Context): boolean {
  return Object.values(context).every((value) => typeof value !== "object" || value instanceof Date)
}

function checkSentence(
  { who, groups = [] }: Affected,
  [before, after]: readonly [Given, Given],
  context: Context,
  decisions: readonly [Decision, Decision] | undefined,
): void {
  const [first] = groups
  if (
    first === undefined ||
    decisions === undefined ||
    / may (now )?get |^(some )?contexts in .* with /.test(who)
  )
    return
  const earlier = (given: Given, rule: number | null | undefined) =>
    (given.configuration?.rules ?? []).slice(0, rule ?? undefined)
  const isMatched = (conditions: readonly Condition[]) =>
    conditions.some((one) => matches(one, context, after.key))
  const isExcepted = (verb: string) =>
    (verb.includes("matched") && isMatched(earlier(before, first.before?.rule))) ||
    (/matches/.test(verb) && isMatched(earlier(after, first.after.rule)))
  const told = (text: string | undefined, decision: Decision, isSame = true) => {
    if (text !== undefined && (canonical(decision.value) === canonical(JSON.parse(text))) !== isSame)
      expect([who, context, decision]).toBe("true")
  }
  const share =
    /^the share of people by `(.+?)` that get `(.*?)`(?:, unless (an earlier|another) rule matches,)? (rises|falls) from `(.*)` % to `(.*)` %$/.exec(
      who,
    )
  if (share !== null) {
    const [, attribute = "", value, unless, way, from = "", to = ""] = share
    const isIn = (limit: string) =>
      isNamed(`\`${limit}\` % of people by \`${attribute}\``, context, after.key)
    const own = groups.map((group) => (way === "rises" ? group.after.rule : group.before?.rule))
    expect(new Set(own).size).toBe(1)
    const excepting = [before, after].flatMap((given, side) => {
      const rules = given.configuration?.rules ?? []
      const limit = side === 0 ? from : to
      const isEdited = (one: Condition) =>
        one.attribute === attribute && one.operator === "percentage" && one.value === limit
      const edited = side === (way === "rises" ? 1 : 0) ? (own[0] ?? rules.length) : rules.findIndex(isEdited)
      return rules.filter((_, at) => (unless === "another" ? at !== edited : unless && at < edited))
    })
    for (const group of groups) {
      const lacking = (way === "rises" ? group.before : group.after)?.rule ?? undefined
      const by =
        lacking === undefined ? undefined : (way === "rises" ? before : after).configuration?.rules[lacking]
      if (by !== undefined && excepting.includes(by)) expect([who, group]).toBe("of people whom it names")
    }
    if (isIn(from) === isIn(to) || isMatched(excepting)) return
    const [lacks, has] = way === "rises" ? decisions : [decisions[1], decisions[0]]
    told(value, has)
    told(value, lacks, false)
    return
  }
  const [, subject = "", whom = "", value, instead, unless = ""] =
    /^(.+?)( whom no rule (?:matches|matched|matches or matched))? (?:now )?gets? `(.*?)`(?: instead of `(.*?)`)?( unless an earlier rule .+ them)?$/.exec(
      who,
    ) ?? []
  if (value === undefined) {
    expect(who).toMatch(
      / gets a `\w+` instead of a |^and \d+ more groups? of people$|^(some )?contexts in .* with /,
    )
    return
  }
  if (isExcepted(whom) || isExcepted(unless)) return
  if (!subject.startsWith("everyone in ") && !isNamed(subject, context, after.key)) return
  told(value, decisions[1])
  told(instead, decisions[0])
}

/** Whether a context is among the people that a subject names. */
function isNamed(subject: string, context: Context, key: string): boolean {
  const known = subjects.get(subject) ?? conditionOf(subject.replace(/^people /, ""))
  subjects.set(subject, known)
  return matches(known, context, key)
}

const subjects = new Map<string, Condition>()

/** The condition that clauses say. Brackets hold a group together; lists have an `or` of their own. */
function conditionOf(clauses: string): Condition {
  const inner = unbracketed(clauses)
  const [, among] = /^who are not among those (.*)$/.exec(inner) ?? []
  if (among !== undefined) return group("none", partsOf(among, "or"))
  for (const [operator, between] of [
    ["all", "and"],
    ["any", "or"],
  ] as const) {
    const parts = partsOf(inner, between)
    if (parts.length > 1) return group(operator, parts)
  }
  return leafOf(inner)
}

function group(operator: string, parts: readonly string[]): Condition {
  return { attribute: "", operator, value: JSON.stringify(parts.map(conditionOf)) }
}

/** The parts that a word joins, outside brackets. */
function partsOf(clauses: string, between: string): readonly string[] {
  const parts: string[] = []
  let [depth, start] = [0, 0]
  const joint = new RegExp(`[()]| ${between} (?=whose|who|without|among|of any kind|\\()`, "g")
  for (const { 0: found, index } of clauses.matchAll(joint)) {
    if (found === "(") depth++
    else if (found === ")") depth--
    else if (depth === 0) {
      parts.push(clauses.slice(start, index))
      start = index + found.length
    }
  }
  return [...parts, clauses.slice(start)]
}

/** The clauses without a pair of brackets around all of them. */
function unbracketed(clauses: string): string {
  let depth = 0
  for (const { 0: bracket, index } of clauses.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1
    if (depth === 0)
      return index === clauses.length - 1 && clauses[0] === "(" ? clauses.slice(1, -1) : clauses
  }
  return clauses
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/^who have `(.*?)`$/, "exists"],
  [/^without `(.*?)`$/, "notExists"],
  [/^(?:among the )?`(?<value>.*)` % (?:of people )?by `(.*?)`$/, "percentage"],
  [/^whose `(.*?)` is anything other than `(?<value>.*)`$/, "notEquals"],
  [/^whose `(.*?)` contains `(?<value>.*)`$/, "contains"],
  [/^whose `(.*?)` does not contain `(?<value>.*)`$/, "notContains"],
  [/^whose `(.*?)` starts with `(?<value>.*)`$/, "startsWith"],
  [/^whose `(.*?)` ends with `(?<value>.*)`$/, "endsWith"],
  [/^whose `(.*?)` matches `(?<value>.*)`$/, "matches"],
  [/^whose `(.*?)` does not match `(?<value>.*)`$/, "notMatches"],
  [/^whose `(.*?)` is greater than `(?<value>.*)`$/, "greaterThan"],
  [/^whose `(.*?)` is at least `(?<value>.*)`$/, "greaterThanOrEquals"],
  [/^whose `(.*?)` is less than `(?<value>.*)`$/, "lessThan"],
  [/^whose `(.*?)` is at most `(?<value>.*)`$/, "lessThanOrEquals"],
  [/^whose `(.*?)` is the version `(?<value>.*)`$/, "semverEquals"],
  [/^whose `(.*?)` is a version other than `(?<value>.*)`$/, "semverNotEquals"],
  [/^whose `(.*?)` is a version above `(?<value>.*)`$/, "semverGreaterThan"],
  [/^whose `(.*?)` is a version from `(?<value>.*)`$/, "semverGreaterThanOrEquals"],
  [/^whose `(.*?)` is a version below `(?<value>.*)`$/, "semverLessThan"],
  [/^whose `(.*?)` is a version up to `(?<value>.*)`$/, "semverLessThanOrEquals"],
  [/^whose `(.*?)` is at or before `(?<value>.*)`$/, "beforeOrEquals"],
  [/^whose `(.*?)` is at or after `(?<value>.*)`$/, "afterOrEquals"],
  [/^whose `(.*?)` is before `(?<value>.*)`$/, "before"],
  [/^whose `(.*?)` is after `(?<value>.*)`$/, "after"],
  [/^whose `(.*?)` is not (?<list>`.*`|in an empty list)$/, "notIn"],
  [/^whose `(.*?)` is (?<list>`.*`|in an empty list)$/, "in"],
]

const seeded =
  /^(?:among the )?(?:`(?<from>[\d.]+)` to )?`(?<to>[\d.]+)` % (?:of people )?by `(?<by>.*?)` with the seed `(?<seed>.*)`$/

function leafOf(clause: string): Condition {
  if (clause.endsWith(" (ignoring case)")) {
    const { operator, ...rest } = leafOf(clause.slice(0, -" (ignoring case)".length))
    return { ...rest, operator: `${operator}IgnoreCase` }
  }
  const share = seeded.exec(clause)?.groups
  if (share !== undefined) {
    const { seed, from = "0", to, by = "" } = share
    const value = JSON.stringify({ seed, from: Number(from), to: Number(to) })
    return { attribute: by, operator: "share", value }
  }
  const [, told] = /^who match `x` `ours` `(.*)`$/.exec(clause) ?? []
  if (told !== undefined) return { attribute: `ours ${told}`, operator: "exists", value: "" }
  if (clause === "of any kind") return { attribute: "", operator: "always", value: "" }
  for (const [form, operator] of forms) {
    const match = form.exec(clause)
    if (match === null) continue
    const { value = "", list } = match.groups ?? {}
    const attribute = operator === "percentage" ? (match[2] ?? "") : (match[1] ?? "")
    if (list === undefined) return { attribute, operator, value }
    const items = [...list.matchAll(/`(.*?)`/g)].map(([, item]) => item)
    return { attribute, operator, value: JSON.stringify(items) }
  }
  throw new Error(`who is ${clause}?`)
}
