import type { Json, Rule } from "../../sdk/contract/snapshot.ts"
import { type Condition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { conditionName, groupOf } from "../conditions/clause.ts"
import { type AttributeShare, attributeShare, rangeLeft } from "../conditions/share-range.ts"
import { always } from "../language/comparisons.ts"
import type { ConditionNames } from "./condition-names.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, plainPhrase } from "./phrase.ts"
import { byWords, percent } from "./share-words.ts"
import { mostCharacters, namesIn, usersWho, userWords } from "./users.ts"

/** A rule that contexts reach, or at the end the default. */
export interface DecidingRule {
  readonly rule: Rule | undefined
  readonly value: Json
  readonly names: ConditionNames
}

/** Who gets what, in a few words: `staff, 10 % by customerId`, or where that would be long or not all of it, `by country: 3 values`. */
export function whoGetsWhat(outcomes: readonly DecidingRule[]): Phrase {
  const texts = outcomes.map(({ value }) => canonicalJson(value))
  const deciding = outcomes.slice(0, -1).flatMap(({ rule, names }) => (rule ? [{ rule, names }] : []))
  const rules = deciding.map(({ rule }) => rule)
  const [first] = rules
  const isBoolean = outcomes.every(({ value }) => typeof value === "boolean")
  if (first === undefined) return ["by rules"]
  const values = new Set(texts).size
  const split = splitWords(rules)
  const isWhole = split || (values === 2 && texts.indexOf(texts.at(-1) ?? "") === rules.length) // only the rest get the last
  const listed = joinPhrases(
    deciding.map(({ rule, names }) => usersIn(rule, names)),
    ", ",
  )
  const words =
    split ??
    (!isBoolean
      ? phrase`${listed}: ${shortJson(first.returnValue)}`
      : first.returnValue === true
        ? listed
        : phrase`all but ${listed}`)
  if (isWhole && rules.length <= 4 && plainPhrase(words).length <= mostCharacters) return words
  const asked = listPhrase(
    new Set(deciding.flatMap(({ rule, names }) => [...namesIn(parseCondition(rule), names)])),
    3,
  )
  return isBoolean ? phrase`by ${asked}` : phrase`by ${asked}: ${values} values`
}

/** For rules with shares of one attribute, each with its own value: how much of it gets which. */
function splitWords(rules: readonly Rule[]): Phrase | undefined {
  const values = new Set(rules.map(({ returnValue }) => canonicalJson(returnValue)))
  const shares = rules.flatMap((rule) => attributeShare(rule) ?? [])
  const [first] = shares
  if (first === undefined || rules.length === 1 || values.size < rules.length) return undefined
  const isDealt = ({ attribute, seed }: AttributeShare) =>
    attribute === first.attribute && seed === first.seed
  const parts = shares.filter(isDealt).flatMap((share, at) => {
    const { from, to } = rangeLeft([share], shares.slice(0, at)) ?? { from: 0, to: 0 }
    return [phrase`${[percent(to - from)]} % ${shortJson(rules[at]?.returnValue ?? null)}`]
  })
  if (parts.length < rules.length) return undefined
  return phrase`${joinPhrases(parts, ", ")} ${byWords(first.attribute, first.seed)}`
}

/** The users of a rule, in short. */
function usersIn(rule: Rule, names: ConditionNames): Phrase {
  const reference = names.referenceOf(rule)
  if (reference?.kind === "segment") return phrase`${reference.name}`
  const share = attributeShare(rule)
  if (reference === undefined && share?.from === 0)
    return phrase`${[percent(share.to)]} % ${byWords(share.attribute, share.seed)}`
  const [space, ...words] = userWords(rule, names).whom
  return typeof space === "string" ? [space.trimStart(), ...words] : ["everyone"]
}

/** The users of a rule at a position: of a share, how many of them the rules before it leave. */
export function usersOfRule(rules: readonly Rule[], at: number, names: ConditionNames): Phrase {
  const [own, ...earlier] = [...rules.slice(0, at + 1)].reverse().map((rule) => dealOf(rule, names))
  const others = earlier.flatMap((one) => (one?.name === own?.name ? (one ?? []) : []))
  const left = own && rangeLeft([{ from: 0, to: own.to }], others)
  if (own === undefined || left === undefined || left.from < own.from)
    return usersWho(rules[at] ?? always, names)
  const { whom } = userWords(own.rest, names)
  return phrase`${[percent(left.to - left.from)]} % of users${whom} ${byWords(own.attribute, own.seed)}`
}

/** A rule's share, and of which users. The name is equal for shares of the same users by the same attribute and seed. */
function dealOf(rule: Condition, { referenceOf }: ConditionNames) {
  const parsed = parseCondition(rule)
  const isOpen = parsed.kind === "all" && referenceOf(rule) === undefined
  const parts = isOpen ? parsed.parts.map(({ condition }) => condition) : [rule]
  const shareOf = (part: Condition) => (referenceOf(part) === undefined ? attributeShare(part) : undefined)
  const [share, ...more] = parts.flatMap((part) => shareOf(part) ?? [])
  if (share === undefined || more.length > 0) return undefined
  const others = parts.filter((part) => shareOf(part) === undefined)
  const rest = others.length === 0 ? always : groupOf("all", others)
  return { ...share, rest, name: JSON.stringify([share.attribute, share.seed, conditionName(rest)]) }
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
