import type { Json, Rule } from "../../proxy/contract/snapshot.ts"
import { type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { parseFlagUse } from "../compile/meaning/open-condition.ts"
import { type AttributeShare, attributeShare, rangeLeft } from "../conditions/share-range.ts"
import { byWords, type ConditionNames, userWords } from "./people.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, plainPhrase } from "./phrase.ts"

/** A rule that contexts reach, or at the end the default. */
export interface DecidingRule {
  readonly rule: Rule | undefined
  readonly value: Json
}

/** The most characters of words that say who gets what; longer ones say what it depends on. */
const mostCharacters = 60

/** Who gets what, in a few words: `staff, 10 % by customerId`, or where that would be long or not all of it, `by country: 3 values`. */
export function whoGetsWhat(outcomes: readonly DecidingRule[], names: ConditionNames): Phrase {
  const texts = outcomes.map(({ value }) => canonicalJson(value))
  const rules = outcomes.slice(0, -1).flatMap(({ rule }) => rule ?? [])
  const [first] = rules
  const isBoolean = outcomes.every(({ value }) => typeof value === "boolean")
  if (first === undefined) return ["by rules"]
  const values = new Set(texts).size
  const split = splitWords(rules)
  const isWhole = split || (values === 2 && texts.indexOf(texts.at(-1) ?? "") === rules.length) // only the rest get the last
  const listed = joinPhrases(
    rules.map((rule) => usersIn(rule, names)),
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
  const asked = listPhrase(new Set(rules.flatMap((rule) => namesIn(parseCondition(rule), names))), 3)
  return isBoolean ? phrase`by ${asked}` : phrase`by ${asked}: ${values} values`
}

/** Of rules that deal shares of one attribute, each with a value of its own: how much of it gets which. */
function splitWords(rules: readonly Rule[]): Phrase | undefined {
  const values = new Set(rules.map(({ returnValue }) => canonicalJson(returnValue)))
  const shares = rules.flatMap((rule) => attributeShare(rule) ?? [])
  const [first] = shares
  if (first === undefined || rules.length === 1 || values.size < rules.length) return undefined
  const isDealt = ({ attribute, seed }: AttributeShare) =>
    attribute === first.attribute && seed === first.seed
  const parts = shares.filter(isDealt).flatMap((share, at) => {
    const { from, to } = rangeLeft([share], shares.slice(0, at)) ?? { from: 0, to: 0 }
    return [phrase`${Math.round((to - from) * 1e6) / 1e6} % ${shortJson(rules[at]?.returnValue ?? null)}`]
  })
  if (parts.length < rules.length) return undefined
  return phrase`${joinPhrases(parts, ", ")} ${byWords(first.attribute, first.seed)}`
}

/** The users of a rule, in short. */
function usersIn(rule: Rule, names: ConditionNames): Phrase {
  const segment = names.segmentOf(rule)
  if (segment !== undefined && parseFlagUse(segment) === undefined) return phrase`${segment}`
  const share = attributeShare(rule)
  if (segment === undefined && share?.from === 0)
    return phrase`${share.to} % ${byWords(share.attribute, share.seed)}`
  const [space, ...words] = userWords(rule, names).whom
  return typeof space === "string" ? [space.trimStart(), ...words] : ["everyone"]
}

/** What a condition depends on: segments, other flags and attributes by their names. */
function namesIn(parsed: ParsedCondition, names: ConditionNames): readonly string[] {
  const segment = names.segmentOf(parsed.condition)
  if (segment !== undefined) return [parseFlagUse(segment)?.[1] ?? segment]
  return "parts" in parsed
    ? parsed.parts.flatMap((part) => namesIn(part, names))
    : [parsed.condition.attribute]
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
