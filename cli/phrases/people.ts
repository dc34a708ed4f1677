import type { Json } from "../../proxy/contract/snapshot.ts"
import { type Condition, type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { parseFlagUse } from "../compile/meaning/open-condition.ts"
import { ignoringCase, withCase } from "../conditions/ignoring-case.ts"
import { listOf } from "../conditions/list.ts"
import { negations } from "../conditions/negations.ts"
import { type AttributeShare, attributeShare } from "../conditions/share-range.ts"
import { boundOf, boundsWords } from "./bounds.ts"
import { type ConditionNames, noNames } from "./condition-names.ts"
import { isRange, type ParsedClause, rangesIn, shareRangesIn } from "./joined-clauses.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, plainPhrase } from "./phrase.ts"

/** The names, and the one attribute whose values read as places, so that it is not named: `in DE`. */
type Names = ConditionNames & { readonly place: string | undefined }

function withPlace(parsed: ParsedCondition, names: ConditionNames): Names {
  const places = placesIn(parsed, names)
  return { ...names, place: (places.find(({ holds }) => holds) ?? places[0])?.attribute }
}

function placesIn(
  parsed: ParsedCondition,
  names: ConditionNames,
  holds = true,
): readonly { readonly attribute: string; readonly holds: boolean }[] {
  if (isSpelled(parsed, names))
    return parsed.parts.flatMap((part) => placesIn(part, names, holds === (parsed.kind !== "none")))
  return isPlace(parsed.condition) ? [{ attribute: parsed.condition.attribute, holds }] : []
}

/**
 * The users who match a condition, as the object of a sentence. The words are about attributes with one value; for a list or
 * an object they may be wrong.
 */
export function usersWho(condition: Condition, known = noNames): Phrase {
  const parsed = parseCondition(condition)
  const names = withPlace(parsed, known)
  const terms = parsed.kind === "any" && isSpelled(parsed, names) ? parsed.parts : [parsed]
  const shown = terms.slice(0, mostItems).map((term) => usersOf(term, names))
  const more = terms.length - shown.length
  return joinPhrases(more > 0 ? [...shown, [`${more} more group${more === 1 ? "" : "s"}`]] : shown, ", and ")
}

/** The share of users in a condition, together with the rest that they must match. */
function usersOf(parsed: ParsedCondition, names: Names): Phrase {
  const clauses = clausesOf(parsed, names)
  const [only] = clauses
  if (clauses.length === 0) return ["everyone"]
  const share = clauses.length === 1 && only?.holds ? attributeShare(only.parsed.condition) : undefined
  if (share?.from === 0)
    return phrase`${[percent(share.to)]} % of users ${byWords(share.attribute, share.seed)}`
  if (only !== undefined && clauses.length === 1 && isException(only, names))
    return phrase`everyone except those${exceptionWords(only.parsed, names)}`
  const own = words(clauses, names)
  const isPlural = own.some((part) => typeof part === "string" && /^ ?who /.test(part))
  const who = clauses.some(({ holds }) => holds) ? "users" : isPlural ? "all users" : "everyone"
  return phrase`${[who]}${own}`
}

/** A condition in words, such as ` in DE with plan pro`, and the rules that come first. Both begin with a space. */
export function userWords(
  condition: Condition,
  known: ConditionNames,
): { readonly whom: Phrase; readonly unless: Phrase } {
  const parsed = parseCondition(condition)
  const names = withPlace(parsed, known)
  const clauses = clausesOf(parsed, names)
  const rules = rulesIn(clauses, names)
  return {
    whom: words(
      clauses.filter((clause) => !rules.includes(clause)),
      names,
    ),
    unless: unlessWords(rules, names),
  }
}

/** The clauses that exclude a rule by its number, except those that are the end of a range. */
function rulesIn(clauses: readonly ParsedClause[], names: ConditionNames): readonly ParsedClause[] {
  return clauses.filter(
    (clause) =>
      !clause.holds &&
      names.ruleOf(clause.parsed.condition) !== undefined &&
      !clauses.some((other) => isRange(clause, other)),
  )
}

function clausesOf(parsed: ParsedCondition, names: ConditionNames, holds = true): readonly ParsedClause[] {
  const { kind, condition } = parsed
  if (kind === "comparison" && condition.operator === "always" && holds) return []
  // No one has a text of an empty list.
  if (
    !holds &&
    names.segmentOf(condition) === undefined &&
    isText(condition) &&
    textsOf(condition).length === 0
  )
    return []
  const isOpen = isSpelled(parsed, names) && !(names.ruleOf(condition) !== undefined && !holds)
  if (isOpen && kind === (holds ? "all" : "any"))
    return parsed.parts.flatMap((part) => clausesOf(part, names, holds))
  if (isOpen && kind === "none" && holds) return parsed.parts.flatMap((part) => clausesOf(part, names, false))
  return [{ parsed, holds }]
}

function isSpelled(
  parsed: ParsedCondition,
  names: ConditionNames,
): parsed is Extract<ParsedCondition, { parts: object }> {
  return "parts" in parsed && names.segmentOf(parsed.condition) === undefined
}

/** Clauses one after the other; those that compare one attribute by its order become one range. */
function words(clauses: readonly ParsedClause[], names: Names): Phrase {
  const rules = rulesIn(clauses, names)
  const own = clauses.filter((clause) => !rules.includes(clause))
  const { ranges, others } = rangesIn(own)
  const { shares, rest } = shareRangesIn(others)
  const parts = [
    ...rest.map((clause) => ({ rank: rankOf(clause, names), words: clauseWords(clause, rest, names) })),
    ...ranges.map((range) => ({ rank: 1, words: boundsWords(range) })),
    ...shares.map((share) => ({ rank: 3, words: shareWords(share) })),
  ].filter((part) => part.words.length > 0)
  // Words that end in "or missing" come late, so that what follows them does not read as part of them.
  const rankIn = ({ rank, words }: (typeof parts)[number]) =>
    rank < groupRank && /missing$/.test(plainPhrase(words)) ? groupRank - 1 : rank
  const sorted = parts.toSorted((a, b) => rankIn(a) - rankIn(b))
  const shown = sorted.slice(0, mostClauses).map(({ rank, words: one }, at): Phrase => {
    const last = sorted[at - 1]
    const areShares = last !== undefined && shareRanks.includes(last.rank) && shareRanks.includes(rank)
    const isEither = firstWord(one) === "either"
    const isLinked = at > 0 && (isEither || firstWord(last?.words) === firstWord(one))
    const isFollowed = isEither && at < sorted.length - 1
    return [areShares || isLinked ? " and " : " ", ...(isFollowed ? phrase`(${one})` : one)]
  })
  const more = sorted.length - shown.length
  if (more > 0) shown.push([` who match ${more} more condition${more === 1 ? "" : "s"}`])
  return [...shown.flat(), ...unlessWords(rules, names)]
}

function firstWord(words: Phrase | undefined): string | undefined {
  const first = words?.find((part) => part !== "")
  return typeof first === "string" ? first.split(" ")[0] : undefined
}

const [shareRanks, groupRank] = [[3, 4], 6]

/** Places come first, what a user lacks comes late, exceptions and then alternatives come last. */
function rankOf({ parsed, holds }: ParsedClause, names: Names): number {
  if (attributeShare(parsed.condition) !== undefined) return 4
  if (isSpelled(parsed, names)) return isException({ parsed, holds }, names) ? groupRank : groupRank + 1
  if (!holds || "parts" in parsed || parsed.condition.operator === "notExists") return 2
  return isPlace(parsed.condition) && parsed.condition.attribute === names.place ? 0 : 1
}

function isPlace(condition: Condition): boolean {
  const { attribute } = condition
  return (
    isText(condition) &&
    /(country|region|market|city|continent)$/i.test(attribute) &&
    !textsOf(condition).includes("")
  )
}

/** Whether a comparison names the strings that it matches. */
function isText({ operator }: Condition): boolean {
  return /^(equals|in)$/.test(withCase(operator))
}

/** The strings that a comparison names. */
function textsOf(condition: Condition): readonly string[] {
  return /^(in|notIn)$/.test(withCase(condition.operator)) ? listOf(condition) : [condition.value]
}

function shareWords({ attribute, seed, from, to }: AttributeShare): Phrase {
  const by = byWords(attribute, seed)
  if (from === 0 && to === 100) return phrase`with any ${attribute}`
  return from === 0
    ? phrase`among the first ${[percent(to)]} % ${by}`
    : phrase`between ${[percent(from)]} % and ${[percent(to)]} % ${by}`
}

/** Without an exponent; sums of doubles have more digits than files. */
export function percent(number: number): string {
  const rounded = Number(number.toPrecision(12))
  return rounded < 1e-6 && rounded > 0 ? rounded.toFixed(20).replace(/0+$/, "") : String(rounded)
}

/** The attribute and seed of shares; the flag's own key is not named. */
export function byWords(attribute: string, seed: string): Phrase {
  return seed === "" ? phrase`by ${attribute}` : phrase`by ${attribute} ${seedWords(seed)}`
}

export function seedWords(seed: string): Phrase {
  return seed === "" ? ["without a seed"] : phrase`with the seed ${seed}`
}

/** Empty for a clause that another one's words include. */
function clauseWords(clause: ParsedClause, clauses: readonly ParsedClause[], names: Names): Phrase {
  const { parsed, holds } = clause
  const { attribute, operator } = parsed.condition
  const segment = names.segmentOf(parsed.condition)
  if (segment !== undefined) return namedWords(segment, holds)
  if (isException(clause, names)) return phrase`(except those${exceptionWords(parsed, names)})`
  if ("parts" in parsed) return alternativeWords(parsed.parts, names)
  const twins = clauses.filter(
    ({ parsed: { condition } }) =>
      condition.attribute === attribute && names.segmentOf(condition) === undefined,
  )
  if (twins.some((one) => isOnlyOtherCase(one, clause))) return []
  if (twins.some((one) => isOnlyOtherCase(clause, one)))
    return phrase`${comparisonWords({ ...parsed.condition, operator: withCase(operator) }, holds, names)} written in a different case`
  const others = twins.filter(isOtherThan)
  const asking = twins.filter((one) => one.holds && patternVerbs.has(one.parsed.condition.operator))
  const without = twins.filter(
    (one) => verbOf(one) && one.holds === negations.has(one.parsed.condition.operator),
  )
  if (asking.length > 0 && [...asking, ...without, ...others].includes(clause))
    return clause === asking[0] ? patternWords(asking, without, others) : []
  if (others.length > 1 && isOtherThan(clause)) {
    if (clause !== others[0]) return []
    const isPresent = others.some((one) => one.holds)
    const all = { attribute, operator: isPresent ? "notIn" : "in", value: JSON.stringify(textsIn(others)) }
    return comparisonWords(all, isPresent, names)
  }
  if (!holds && isText(parsed.condition) && twins.some((one) => one.holds)) {
    const suffix = withCase(operator) === operator ? [] : [" (ignoring case)"]
    return phrase`whose ${attribute} is not ${anyOf(textsOf(parsed.condition))}${suffix}`
  }
  return comparisonWords(parsed.condition, holds, names)
}

/** Such as `whose p starts with 1 but not with 10`, for clauses about one attribute. */
function patternWords(
  asking: readonly ParsedClause[],
  without: readonly ParsedClause[],
  others: readonly ParsedClause[],
): Phrase {
  const [first] = asking
  const verb = asking.length === 1 && first ? verbOf(first) : undefined
  const isSame = (one: ParsedClause) => verb !== undefined && verbOf(one) === verb
  const same = without.filter(isSame)
  const is = asking.map((one) => phrase`${[verbOf(one)?.[0] ?? ""]} ${one.parsed.condition.value}`)
  const not = [
    ...(same.length > 0 ? [phrase`not ${[verb?.[2] ?? ""]}${anyOf(textsIn(same))}`] : []),
    ...without
      .filter((one) => !isSame(one))
      .map((one) => phrase`${[verbOf(one)?.[1] ?? ""]} ${one.parsed.condition.value}`),
    ...(others.length > 0 ? [phrase`is not ${anyOf(textsIn(others))}`] : []),
  ]
  const but = not.length > 0 ? phrase` but ${joinPhrases(not, " and ")}` : []
  return phrase`whose ${first?.parsed.condition.attribute ?? ""} ${joinPhrases(is, " and ")}${but}`
}

function verbOf({ parsed: { condition } }: ParsedClause) {
  return patternVerbs.get(negations.get(condition.operator) ?? condition.operator)
}

function textsIn(clauses: readonly ParsedClause[]): readonly string[] {
  return [...new Set(clauses.flatMap((one) => textsOf(one.parsed.condition)))]
}

/** Whether a clause excludes strings. */
function isOtherThan({ parsed: { condition }, holds }: ParsedClause): boolean {
  return holds ? /^not(Equals|In)$/.test(condition.operator) : /^(equals|in)$/.test(condition.operator)
}

/** Whether a clause ignores the case that the other one, which must not hold, is about. */
function isOnlyOtherCase(one: ParsedClause, other: ParsedClause): boolean {
  const [{ operator, value }, exact] = [one.parsed.condition, other.parsed.condition]
  return one.holds && !other.holds && operator === ignoringCase(exact.operator) && value === exact.value
}

function namedWords(name: string, holds: boolean): Phrase {
  const [, key, gives = null] = parseFlagUse(name) ?? []
  if (key === undefined) return phrase`${[holds ? "in" : "outside"]} ${shortName(name)}`
  return phrase`who ${[holds ? "get" : "do not get"]} ${valueWords(gives)} from ${shortName(name)}`
}

/** A segment or flag by its name. */
function shortName(name: string): Phrase {
  const [, key] = parseFlagUse(name) ?? []
  return key === undefined ? phrase`segment ${name}` : phrase`flag ${key}`
}

/** Whether a clause excludes users who match several conditions at once, and is not a numbered rule. */
function isException({ parsed, holds }: ParsedClause, names: Names): boolean {
  return !holds && parsed.kind === "all" && isSpelled(parsed, names) && !names.ruleOf(parsed.condition)
}

function exceptionWords(parsed: ParsedCondition, names: Names): Phrase {
  return partWords(clausesOf(parsed, names), names)
}

/** The words for a part of a group, which may match everyone. */
function partWords(clauses: readonly ParsedClause[], names: Names): Phrase {
  return clauses.length > 0 ? words(clauses, names) : [" ", "of any kind"]
}

/** Such as `either in DE or (with plan pro and with role staff)`. */
function alternativeWords(parts: readonly ParsedCondition[], names: Names): Phrase {
  const shown = parts.slice(0, mostItems).map((part) => alternativeOf(clausesOf(part, names), names))
  const more = parts.length - shown.length
  return phrase`either ${joinLast(more > 0 ? [...shown, [`matching one of ${more} more conditions`]] : shown, "or")}`
}

/** In brackets, unless it is one clause without commas and conjunctions of its own. */
function alternativeOf(clauses: readonly ParsedClause[], names: Names): Phrase {
  const [only] = clauses
  if (only !== undefined && clauses.length === 1 && isException(only, names))
    return phrase`not (${exceptionWords(only.parsed, names).slice(1)})`
  const one = partWords(clauses, names).slice(1)
  const own = one.map((part) => (typeof part === "string" ? part : "…")).join("")
  return clauses.length > 1 || /, | or | and /.test(own) ? phrase`(${one})` : one
}

function comparisonWords(condition: Condition, holds: boolean, names: Names): Phrase {
  const { attribute, operator, value } = condition
  const plain = withCase(operator)
  if (plain !== operator)
    return phrase`${comparisonWords({ ...condition, operator: plain }, holds, names)} (ignoring case)`
  const share = attributeShare(condition)
  if (share !== undefined) {
    const by = byWords(attribute, share.seed)
    if (holds) return shareWords(share)
    if (share.from === 0 && share.to === 100) return phrase`without any ${attribute}`
    return share.from === 0
      ? phrase`outside the first ${[percent(share.to)]} % ${by}`
      : phrase`not between ${[percent(share.from)]} % and ${[percent(share.to)]} % ${by}`
  }
  const pattern = patternVerbs.get(operator)
  if (pattern !== undefined) return phrase`whose ${attribute} ${[pattern[holds ? 0 : 1]]} ${value}`
  const texts = textsOf(condition)
  if (texts.length === 0 && operator === "in") return phrase`with ${attribute} in ${"[]"}`
  if (texts.length === 0) return phrase`${[holds ? "with any" : "without any"]} ${attribute}`
  switch (operator) {
    case "always":
      return ["of no kind"]
    case "exists":
    case "notExists":
      return phrase`${[holds === (operator === "exists") ? "with any" : "without any"]} ${attribute}`
    case "equals":
    case "in":
      if (isPlace(condition) && attribute === names.place)
        return holds ? phrase`in ${anyOf(texts)}` : phrase`outside ${anyOf(texts, "and")}`
      return phrase`${[holds ? "with" : "without"]} ${attribute} ${anyOf(texts)}`
    case "semverEquals":
      return phrase`${[holds ? "on" : "not on"]} ${attribute} ${value}`
    case "notEquals":
    case "notIn":
      return holds
        ? phrase`with ${attribute} other than ${anyOf(texts)}`
        : phrase`whose ${attribute} is ${anyOf(texts, "or", ["missing"])}`
    case "notContains":
    case "notMatches": {
      const [is, isNot] = patternVerbs.get(operator === "notContains" ? "contains" : "matches") ?? []
      if (holds) return phrase`with any ${attribute} that ${[isNot ?? ""]} ${value}`
      return phrase`whose ${attribute} ${[is ?? ""]} ${value} or is missing`
    }
    case "semverNotEquals":
      return holds
        ? phrase`on ${attribute} other than ${value}`
        : phrase`whose ${attribute} is ${value} or missing`
    default: {
      const bound = boundOf(condition, holds)
      if (bound !== undefined) {
        const ends = { low: bound.isUpper ? undefined : bound, high: bound.isUpper ? bound : undefined }
        return boundsWords({ ...bound, ...ends, orNone: !holds })
      }
      return phrase`${[holds ? "who match" : "who do not match"]} ${[attribute, operator, value].filter((text) => text !== "").join(" ")}`
    }
  }
}

/** Rules that come first on both sides: nothing changes for users for whom they decide. */
function unlessWords(rules: readonly ParsedClause[], names: Names): Phrase {
  if (rules.length === 0) return []
  const numbered = rules
    .flatMap(({ parsed }) => {
      const rule = names.ruleOf(parsed.condition)
      return rule === undefined ? [] : [{ parsed, ...rule }]
    })
    .toSorted((a, b) => a.number - b.number)
  // A later rule may match where an earlier one decides.
  const isFirst = numbered.every(({ number }, at) => number === at + 1)
  const verb = isFirst ? "decides" : "matches"
  if (numbered.length > mostItems) {
    const by = new Set(numbered.flatMap(({ parsed, segmentOf }) => [...namesIn(parsed, { segmentOf })]))
    const which = isFirst ? `rules 1 to ${numbered.length}` : `${numbered.length} other rules`
    return phrase` unless one of ${[which]} (by ${listPhrase(by, 3)}) ${[verb]}`
  }
  const all = numbered.map(({ parsed, number, segmentOf }) => {
    const segment = segmentOf(parsed.condition)
    const what = segment === undefined ? ruleWords(parsed, { ...names, segmentOf }) : shortName(segment)
    return phrase`rule ${number} (${what})`
  })
  return phrase` unless ${joinLast(all, "or")} ${[verb]}`
}

/** Whom a rule matches or, if that would be long, what it depends on. */
function ruleWords(parsed: ParsedCondition, names: Names): Phrase {
  const parts = parsed.kind === "any" ? parsed.parts : [parsed]
  const own = parts.map((part) => words(clausesOf(part, names), names).slice(1))
  const whom = joinPhrases(own, ", or ")
  return plainPhrase(whom).length <= mostCharacters
    ? phrase`users ${whom}`
    : phrase`by ${listPhrase(namesIn(parsed, names), 3)}`
}

/** What a condition depends on: segments, other flags and attributes by their names, each once. */
export function namesIn(
  parsed: ParsedCondition,
  names: Pick<ConditionNames, "segmentOf">,
): ReadonlySet<string> {
  const segment = names.segmentOf(parsed.condition)
  if (segment !== undefined) return new Set([parseFlagUse(segment)?.[1] ?? segment])
  return new Set(
    "parts" in parsed
      ? parsed.parts.flatMap((part) => [...namesIn(part, names)])
      : [parsed.condition.attribute],
  )
}

export function valueWords(value: Json): Phrase {
  return phrase`${JSON.stringify(value)}`
}

/** The words for what a string has, what it does not have, and for both after "but not". */
const patternVerbs: ReadonlyMap<string, readonly [string, string, string]> = new Map([
  ["contains", ["contains", "does not contain", ""]],
  ["startsWith", ["starts with", "does not start with", "with "]],
  ["endsWith", ["ends with", "does not end with", "with "]],
  ["matches", ["matches", "does not match", ""]],
])

/** The maximum length of the words for who gets what; beyond it, they name what that depends on. */
export const mostCharacters = 60

const mostItems = 5
const mostClauses = 8

function anyOf(items: readonly string[], and = "or", ...others: readonly Phrase[]): Phrase {
  const shown = items.slice(0, mostItems).map((item) => (item === "" ? ["empty"] : phrase`${item}`))
  const more = items.length - shown.length
  const all = [...shown, ...(more > 0 ? [[`${and === "or" ? "one of " : ""}${more} more`]] : []), ...others]
  return joinLast(all, and)
}

/** Such as `a, b or c`. */
function joinLast(phrases: readonly Phrase[], and: string): Phrase {
  const [last = phrase``] = phrases.slice(-1)
  return phrases.length < 2 ? last : phrase`${joinPhrases(phrases.slice(0, -1), ", ")} ${[and]} ${last}`
}
