import { type Condition, type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { attributeShare } from "../conditions/share-range.ts"
import { presenceAsked } from "../language/comparisons.ts"
import type { Reference } from "../language/condition.ts"
import { attributeWords } from "./attribute-words.ts"
import { boundsWords } from "./bounds.ts"
import { clausesOf, isException, isPlace, isSpelled, type Names, rulesIn, withPlace } from "./clauses.ts"
import { type ConditionNames, noNames } from "./condition-names.ts"
import { type ParsedClause, rangesIn, shareRangesIn } from "./joined-clauses.ts"
import {
  joinLast,
  joinPhrases,
  listPhrase,
  mostItems,
  type Phrase,
  phrase,
  plainPhrase,
  valueWords,
} from "./phrase.ts"
import { byWords, percent, shareWords } from "./share-words.ts"

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
): { readonly whom: Phrase; readonly except: Phrase } {
  const parsed = parseCondition(condition)
  const names = withPlace(parsed, known)
  const clauses = clausesOf(parsed, names)
  const rules = rulesIn(clauses, names)
  return {
    whom: words(
      clauses.filter((clause) => !rules.includes(clause)),
      names,
    ),
    except: exceptWords(rules, names),
  }
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
    rank < groupRank && /missing( \(ignoring case\))?$/.test(plainPhrase(words)) ? groupRank - 1 : rank
  const sorted = parts.toSorted((a, b) => rankIn(a) - rankIn(b))
  const joined = withNeither(sorted)
  const shown = joined.slice(0, mostClauses).map(({ rank, words: one }, at): Phrase => {
    const last = joined[at - 1]
    const areShares = last !== undefined && shareRanks.includes(last.rank) && shareRanks.includes(rank)
    const isEither = firstWord(one) === "either"
    const isLinked = at > 0 && (isEither || firstWord(last?.words) === firstWord(one))
    const isFollowed = isEither && at < joined.length - 1
    return [areShares || isLinked ? " and " : " ", ...(isFollowed ? phrase`(${one})` : one)]
  })
  const more = joined.length - shown.length
  if (more > 0) shown.push([` who match ${more} more condition${more === 1 ? "" : "s"}`])
  return [...shown.flat(), ...exceptWords(rules, names)]
}

interface Part {
  readonly rank: number
  readonly words: Phrase
}

/** Of parts that leave users out, those with one noun as one: `neither in segment staff nor among the first 10 % by userId`. */
function withNeither(parts: readonly Part[]): readonly Part[] {
  const inside = (part: Part): Phrase | undefined => {
    const [first, ...rest] = part.words.filter((word) => word !== "")
    if (typeof first !== "string" || !/^outside\b/.test(first) || rest.includes(" and ")) return undefined
    return [first.replace("outside", first.startsWith("outside the first") ? "among" : "in"), ...rest]
  }
  const outside = parts.filter((part) => inside(part) !== undefined)
  const last = outside.at(-1)
  if (outside.length < 2 || last === undefined) return parts
  const words = joinPhrases(
    outside.map((part) => inside(part) ?? []),
    " nor ",
  )
  return parts.flatMap((part) => {
    if (part === last) return [{ ...part, words: phrase`neither ${words}` }]
    return outside.includes(part) ? [] : [part]
  })
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
  if (!holds || "parts" in parsed || presenceAsked(parsed.condition.operator) === false) return 2
  return isPlace(parsed.condition) && parsed.condition.attribute === names.place ? 0 : 1
}

/** Empty for a clause that another one's words include. */
function clauseWords(clause: ParsedClause, clauses: readonly ParsedClause[], names: Names): Phrase {
  const { parsed, holds } = clause
  const reference = names.referenceOf(parsed.condition)
  if (reference !== undefined) return namedWords(reference, holds)
  if (isException(clause, names)) return phrase`(except those${exceptionWords(parsed, names)})`
  if ("parts" in parsed) return alternativeWords(parsed.parts, names)
  return attributeWords(clause, clauses, names)
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

function namedWords(reference: Reference, holds: boolean): Phrase {
  if (reference.kind === "segment") return phrase`${[holds ? "in" : "outside"]} ${shortName(reference)}`
  return phrase`who ${[holds ? "get" : "do not get"]} ${valueWords(reference.is)} from ${shortName(reference)}`
}

/** A segment or flag by its name. */
function shortName(reference: Reference): Phrase {
  return reference.kind === "segment" ? phrase`segment ${reference.name}` : phrase`flag ${reference.key}`
}

/** Rules that come first on both sides: nothing changes for users for whom they decide. */
function exceptWords(rules: readonly ParsedClause[], names: Names): Phrase {
  if (rules.length === 0) return []
  const numbered = rules
    .flatMap(({ parsed }) => {
      const rule = names.ruleOf(parsed.condition)
      return rule === undefined ? [] : [{ parsed, ...rule }]
    })
    .toSorted((a, b) => a.number - b.number)
  if (numbered.length > mostItems) {
    const by = new Set(numbered.flatMap(({ parsed, referenceOf }) => [...namesIn(parsed, { referenceOf })]))
    const isFirst = numbered.every(({ number }, at) => number === at + 1)
    const which = isFirst ? `rules 1 to ${numbered.length}` : `${numbered.length} rules`
    return phrase` except those of ${[which]} (by ${listPhrase(by, 3)})`
  }
  const all = numbered.map(({ parsed, number, referenceOf }) => {
    const reference = referenceOf(parsed.condition)
    if (reference !== undefined) return phrase`${shortName(reference)} (rule ${number})`
    const whom = ruleWords(parsed, { ...names, referenceOf })
    return whom === undefined
      ? phrase`those of rule ${number} (by ${listPhrase(namesIn(parsed, { referenceOf }), 3)})`
      : phrase`users ${whom} (rule ${number})`
  })
  return phrase` except ${joinLast(all, "and")}`
}

/** Whom a rule matches; `undefined` if that would be long. */
function ruleWords(parsed: ParsedCondition, names: Names): Phrase | undefined {
  const parts = parsed.kind === "any" ? parsed.parts : [parsed]
  const own = parts.map((part) => words(clausesOf(part, names), names).slice(1))
  const whom = joinPhrases(own, ", or ")
  return plainPhrase(whom).length <= mostCharacters ? whom : undefined
}

/** What a condition depends on: segments, other flags and attributes by their names, each once. */
export function namesIn(
  parsed: ParsedCondition,
  names: Pick<ConditionNames, "referenceOf">,
): ReadonlySet<string> {
  const reference = names.referenceOf(parsed.condition)
  if (reference !== undefined) return new Set([reference.kind === "segment" ? reference.name : reference.key])
  return new Set(
    "parts" in parsed
      ? parsed.parts.flatMap((part) => [...namesIn(part, names)])
      : [parsed.condition.attribute],
  )
}

/** The maximum length of the words for who gets what; beyond it, they name what that depends on. */
export const mostCharacters = 60

const mostClauses = 8

/** The verb after words for users. */
export function verbFor(users: Phrase, plural: string, singular: string): string {
  const subject = plainPhrase(users)
  return subject.startsWith("everyone") && !subject.includes(", and ") ? singular : plural
}
