import type { Json } from "../../sdk/contract/snapshot.ts"
import { conditionName, groupOf } from "../conditions/clause.ts"
import { termsOf } from "../conditions/flatten.ts"
import { rangeLeft, seedName } from "../conditions/share-range.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { always, type Condition, isRamp, type Ramp, type Share, visit } from "../language/condition.ts"
import type { Rule } from "../language/flag.ts"
import { byWords, percent, rampWords } from "./share-words.ts"
import { mostCharacters, namesIn, userWords } from "./users.ts"
import { areHard } from "./users-by-rules.ts"
import { usersWho } from "./users-who.ts"

/** What decides of a rule. */
export type Outcome = Pick<Rule, "condition" | "gives">

/**
 * Who gets what, in a few words: `staff, 10 % by customerId`, or where that would be long or not all of it, `by country: 3 values`.
 * The last of the outcomes that contexts reach is for everyone else.
 */
export function whoGetsWhat(outcomes: readonly Outcome[]): Phrase {
  const texts = outcomes.map(({ gives }) => canonicalJson(gives))
  const rules = outcomes.slice(0, -1)
  const [first] = rules
  const isBoolean = outcomes.every(({ gives }) => typeof gives === "boolean")
  if (first === undefined) return ["by rules"]
  const values = new Set(texts).size
  const split = splitWords(rules)
  const isWhole = split || (values === 2 && texts.indexOf(texts.at(-1) ?? "") === rules.length) // only the rest get the last
  const listed = joinPhrases(
    rules.map(({ condition }) => usersIn(condition)),
    ", ",
  )
  const words =
    split ??
    (!isBoolean
      ? phrase`${listed}: ${shortJson(first.gives)}`
      : first.gives === true
        ? listed
        : phrase`all but ${listed}`)
  const isShort =
    plainPhrase(words).length <= mostCharacters ||
    rules.some(({ condition }) => rampUsers(condition) !== undefined)
  if (isWhole && rules.length <= 4 && isShort) return words
  const asked = listPhrase(new Set(rules.flatMap(({ condition }) => [...namesIn(condition)])), 3)
  return isBoolean ? phrase`by ${asked}` : phrase`by ${asked}: ${values} values`
}

/** For rules with shares of one attribute, each with its own value: how much of it gets which. */
function splitWords(rules: readonly Outcome[]): Phrase | undefined {
  const values = new Set(rules.map(({ gives }) => canonicalJson(gives)))
  const shares = rules.flatMap(({ condition }) => (condition.kind === "share" ? [condition] : []))
  const [first] = shares
  if (first === undefined || rules.length === 1 || values.size < rules.length) return undefined
  const alike = shares.filter((share) => seedName(share) === seedName(first))
  const parts = alike.map((share, at) => {
    const { from, to } = rangeLeft([share], shares.slice(0, at)) ?? { from: 0, to: 0 }
    return phrase`${[percent(to - from)]} % ${shortJson(rules[at]?.gives ?? null)}`
  })
  if (parts.length < rules.length) return undefined
  return phrase`${joinPhrases(parts, ", ")} ${byWords(first)}`
}

/** The users of a rule, in short. */
function usersIn(condition: Condition): Phrase {
  if (condition.kind === "segment") return phrase`${condition.name}`
  if (condition.kind === "share" && condition.from === 0)
    return phrase`${[percent(condition.to)]} % ${byWords(condition)}`
  const [space, ...words] = rampUsers(condition) ?? userWords([{ condition, holds: true }]).whom
  return typeof space === "string" ? [space.trimStart(), ...words] : ["everyone"]
}

/** The users of the last of some rules: of a share, how many of them the rules before it leave. */
export function usersOfLast(rules: readonly Condition[]): Phrase {
  const [last = always, ...earlier] = rules.toReversed()
  const ramp = rampUsers(last)
  if (ramp !== undefined) return phrase`users${ramp}`
  const limited = limitedShare(last)
  const taken = earlier.flatMap((rule) => {
    const before = limitedShare(rule)
    return before !== undefined && before.name === limited?.name ? [before.share] : []
  })
  const left = limited && rangeLeft([{ from: 0, to: limited.share.to }], taken)
  if (limited === undefined || left === undefined || left.from < limited.share.from)
    return usersWho(termsOf(last))
  const { whom } = userWords([{ condition: limited.rest, holds: true }])
  return phrase`${[percent(left.to - left.from)]} % of users${whom} ${byWords(limited.share)}`
}

/**
 * The users of rules, of ramps with all of their calendars from `now` on. `undefined`: none is a ramp, they are many or hard to
 * read, or something else picks users by a share, or asks for the time or an attribute by which a ramp picks.
 */
export function usersOfRamps(rules: readonly Condition[], now?: number): Phrase | undefined {
  const found = rules.map((rule) => rampIn(rule) ?? { ramp: undefined, rest: rule })
  const rests = found.map(({ rest }) => rest)
  const own = new Set(
    rules.flatMap((rule) => [...visit(rule)].filter(isRamp)).flatMap((ramp) => [...namesIn(ramp)]),
  )
  const asked = rests.flatMap((rest) => [...visit(rest, "meanings")])
  const isApart = asked.every(
    (part) => part.kind !== "share" && !(part.kind === "comparison" && own.has(part.attribute)),
  )
  const isHard = rests.some((rest) => areHard(usersWho(termsOf(rest)), termsOf(rest)))
  if (own.size === 0 || rules.length > mostRules || !isApart || isHard) return undefined
  const each = found.map(({ ramp, rest }) => {
    if (ramp === undefined) return usersOfLast([rest])
    const { whom } = userWords([{ condition: rest, holds: true }])
    return phrase`users${whom} ${rampWords(ramp, { now })}`
  })
  return joinPhrases(each, "; and ")
}

/** As many as a reader keeps apart. */
const [mostRules, mostStages] = [3, 6]

/** The users of a ramp, which may stand beside other conditions that must all hold, and its calendar. */
function rampUsers(rule: Condition): Phrase | undefined {
  const found = rampIn(rule)
  if (found === undefined) return undefined
  const { whom } = userWords([{ condition: found.rest, holds: true }])
  return [...whom, " ", ...rampWords(found.ramp, { most: mostStages })]
}

/** A rule's ramp, and what else must hold. */
function rampIn(rule: Condition): { readonly ramp: Ramp; readonly rest: Condition } | undefined {
  const parts = rule.kind === "all" ? rule.parts : [rule]
  const part = parts.find(isRamp)
  if (part === undefined) return undefined
  const others = parts.filter((other) => other !== part)
  return { ramp: part.ramp, rest: others.length === 0 ? always : groupOf("all", others) }
}

/** A rule's share, and of which users. The name is equal for shares of the same users by the same attribute and seed. */
function limitedShare(
  rule: Condition,
): { readonly share: Share; readonly rest: Condition; readonly name: string } | undefined {
  const parts = rule.kind === "all" ? rule.parts : [rule]
  const [share, ...more] = parts.filter((part) => part.kind === "share")
  if (share === undefined || more.length > 0) return undefined
  const others = parts.filter((part) => part !== share)
  const rest = others.length === 0 ? always : groupOf("all", others)
  return { share, rest, name: JSON.stringify([seedName(share), conditionName(rest)]) }
}

/** Characters of a value. */
const shownCharacters = 28

/** A value as JSON, cut short. */
export function shortJson(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > shownCharacters
    ? `${text.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, "")}…`
    : text
}
