import type { Configuration, Flag, FlagEntry, Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import { parseFlagUse } from "../../compile/meaning/open-condition.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { type AttributeShare, attributeShare, rangeLeft } from "../../conditions/share-range.ts"
import { byWords, type ConditionNames, usersWho, userWords, valueWords } from "../../phrases/people.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, plainPhrase } from "../../phrases/phrase.ts"
import type { Given } from "../../stale/assess.ts"
import type { CatalogCell, Reached } from "./catalog.ts"

/** What a cell needs to know of a flag in an environment, beside its entry. */
export interface CellFacts {
  /** The lines of its rules. */
  readonly lines: readonly number[]
  /** What everyone gets, and whether a share of users does. */
  readonly given: Pick<Given<string>, "only" | "isShared">
  readonly names: ConditionNames
  readonly reachedBy: (by: number | string) => Reached
}

/** What a flag does in an environment. */
export function cellOf(
  name: string,
  { flag, environment }: FlagEntry,
  { lines, given, names, reachedBy }: CellFacts,
): Omit<CatalogCell, "differs"> {
  const otherwise = reachedBy(
    environment === null ? "unconfigured" : environment.enabled ? "default" : "disabled",
  )
  const rules = (environment?.rules ?? []).map((rule, at) => ({
    words: phrase`${valueWords(rule.returnValue)} for ${usersWho(rule, names)}`,
    line: lines[at] ?? 1,
    ...reachedBy(at),
  }))
  const constant = given.only
  const cell = { environment: name, configuration: environment, constant, rules, otherwise }
  if (environment === null) return { ...cell, state: "none", words: phrase`not configured` }
  if (constant !== undefined) return { ...cell, ...sameForAll(flag, environment, constant) }
  const outcomes = [
    ...environment.rules.map((rule, at) => ({ rule, value: rule.returnValue, ...reachedBy(at) })),
    { rule: undefined, value: flag.defaultValue, ...otherwise },
  ].filter(({ isReached }) => isReached)
  return {
    ...cell,
    state: given.isShared ? "share" : "rules",
    words: whoGetsWhat(outcomes, flag.type, names),
  }
}

function sameForAll(
  { type }: Flag,
  { enabled }: Configuration,
  constant: string,
): Pick<CatalogCell, "state" | "words"> {
  if (type === "boolean" && constant === "false") return { state: "off", words: ["off for all"] }
  const disabled = enabled ? "" : " (disabled)"
  if (type === "boolean") return { state: "on", words: [`on for all${disabled}`] }
  return { state: "value", words: phrase`${shortJson(JSON.parse(constant))} for all${[disabled]}` }
}

/** A rule that contexts come to, or at the end the default. */
interface Outcome {
  readonly rule: Rule | undefined
  readonly value: Json
}

/** The most characters of a cell that says who gets what; any other says what it depends on. */
const mostCharacters = 60

/** Who gets what: `staff, 10 % by customerId`, or where that would be long or not all of it, `by country: 3 values`. */
function whoGetsWhat(outcomes: readonly Outcome[], type: Flag["type"], names: ConditionNames): Phrase {
  const texts = outcomes.map(({ value }) => canonicalJson(value))
  const rules = outcomes.slice(0, -1).flatMap(({ rule }) => rule ?? [])
  const [first] = rules
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
    (type !== "boolean"
      ? phrase`${listed}: ${shortJson(first.returnValue)}`
      : first.returnValue === true
        ? listed
        : phrase`all but ${listed}`)
  if (isWhole && rules.length <= 4 && plainPhrase(words).length <= mostCharacters) return words
  const asked = listPhrase(new Set(rules.flatMap((rule) => namesIn(parseCondition(rule), names))), 3)
  return type === "boolean" ? phrase`by ${asked}` : phrase`by ${asked}: ${values} values`
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

/** A cell has room for so many characters of a value. */
const shownCharacters = 28

function shortJson(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > shownCharacters
    ? `${text.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, "")}…`
    : text
}

/** Whether two environments of one flag do the same to everyone. */
export function doTheSame(
  before: Pick<CatalogCell, "constant" | "configuration">,
  after: Pick<CatalogCell, "constant" | "configuration">,
): boolean {
  if (before.constant !== undefined || after.constant !== undefined) return before.constant === after.constant
  const [one, other] = [before.configuration?.rules ?? [], after.configuration?.rules ?? []]
  return one.length === other.length && one.every((rule, at) => sameRule(rule, other[at] as Rule))
}
