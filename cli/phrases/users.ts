import type { Clause, Term } from "../conditions/clause.ts"
import { flatten, termsOf } from "../conditions/flatten.ts"
import { rangeLeft, seedName, shareClausesIn, shareOf } from "../conditions/share-range.ts"
import {
  countWords,
  joinLast,
  joinPhrases,
  listPhrase,
  mostItems,
  type Phrase,
  phrase,
  plainPhrase,
  valueWords,
} from "../diagnostics/phrase.ts"
import {
  attributeOf,
  type Condition,
  isAlways,
  presenceIn,
  type Reference,
  type Share,
  visit,
} from "../language/condition.ts"
import { isReference } from "../language/references.ts"
import { namesTexts, textsOf } from "../language/texts.ts"
import { attributeWords, isComparison } from "./attribute-words.ts"
import { boundsWords, isRange, rangesIn } from "./bounds.ts"
import { inShareWords, isPlace, type Place } from "./comparison-words.ts"
import { type Part, withNeither } from "./neither.ts"
import { bracketed, frameOf, hasBrackets, shareWords } from "./share-words.ts"

/** A term in at most so many words, such as ` in DE with plan pro`, and the rules that come first. Both begin with a space. */
export function userWords(
  term: Term,
  most = mostDivided,
): { readonly whom: Phrase; readonly except: Phrase } {
  const place = placeIn([term])
  const clauses = saidOf(term)
  const rules = rulesIn(clauses)
  const whom = words(
    clauses.filter((clause) => !rules.includes(clause)),
    place,
    most - (rules.length > 0 ? 3 : 0),
  )
  return { whom, except: exceptWords(rules, place, whom, most) }
}

/** The clauses of a term without those that everyone fulfils. */
export function saidOf(term: Term): Term {
  const clauses = flatten(term)
  return clauses.filter((clause) =>
    clause.holds
      ? !isAlways(clause.condition) && !clauses.some((other) => implies(other, clause))
      : !isInEmptyList(clause),
  )
}

/**
 * Whether a clause names a value of an attribute, or picks users by it, and another one only asks the attribute to be there, as a
 * share of 100 % does.
 */
function implies({ condition, holds }: Clause, { condition: present }: Clause): boolean {
  if (present.kind !== "comparison" && present.kind !== "share") return false
  if (condition.kind === "share")
    return holds && condition.by === attributeOf(present) && presenceIn(present) === true
  const isOfAll = present.kind === "share" ? present.from === 0 && present.to === 100 : presenceIn(present)
  return (
    (isOfAll ?? false) &&
    holds &&
    namesTexts(condition) &&
    !textsOf(condition).includes("") &&
    condition.attribute === attributeOf(present)
  )
}

/** Whether a clause asks for a text of an empty list, which no one has. */
export function isInEmptyList({ condition }: Clause): boolean {
  return namesTexts(condition) && textsOf(condition).length === 0
}

/** What a condition asks for, without what everyone fulfils. */
export function clausesOf(condition: Condition): Term {
  return saidOf([{ condition, holds: true }])
}

/** The attribute whose values read as places. */
export function placeIn(terms: readonly Term[]): Place {
  const places = terms.flat().flatMap(({ condition, holds }) => placesIn(condition, holds))
  return (places.find(({ holds }) => holds) ?? places[0])?.attribute
}

function placesIn(
  condition: Condition,
  holds: boolean,
): readonly { readonly attribute: string; readonly holds: boolean }[] {
  if ("parts" in condition)
    return condition.parts.flatMap((part) => placesIn(part, holds === (condition.kind !== "none")))
  return condition.kind === "comparison" && isPlace(condition)
    ? [{ attribute: condition.attribute, holds }]
    : []
}

/** The clauses that exclude a rule by its number, except those that are the end of a range. */
function rulesIn(clauses: Term): Term {
  return clauses.filter(
    (clause) => clause.rule !== undefined && !clauses.some((other) => isRange(clause, other)),
  )
}

/** Whether a clause excludes users who match several conditions at once, and is not a numbered rule. */
export function isException({ condition, holds, rule }: Clause): boolean {
  return !holds && condition.kind === "all" && rule === undefined
}

/** Clauses one after the other; those that compare one attribute by its order become one range. */
export function words(clauses: Term, place: Place, most = Number.POSITIVE_INFINITY): Phrase {
  const rules = rulesIn(clauses)
  const { ranges, others } = rangesIn(clauses.filter((clause) => !rules.includes(clause)))
  const { shares, rest } = shareRangesIn(others)
  const parts = [
    ...rest.map((clause): Part => {
      const said = isException(clause)
        ? exceptionOf(clause.condition, place)
        : { words: clauseWords(clause, rest, place) }
      return { rank: rankOf(clause, place), ...said }
    }),
    ...ranges.map((range) => ({ rank: range.orNone ? lateRank : 1, words: boundsWords(range) })),
    ...shares.map((share) => ({ rank: 3, words: shareWords(share) })),
  ].filter((part) => part.words.length > 0)
  // Relative clauses, and words that end in "or missing", come late, so that what follows does not read as part of them.
  const rankIn = ({ rank, words }: (typeof parts)[number]) =>
    rank < groupRank && /^who|missing( \(ignoring case\))?$/.test(plainPhrase(words)) ? lateRank : rank
  const sorted = parts.toSorted((a, b) => rankIn(a) - rankIn(b))
  const joined = withNeither(sorted)
  const kept = joined.slice(0, mostClauses)
  const lengthOf = ({ words }: (typeof kept)[number]) => countWords(words)
  const room = () => most - (kept.length < joined.length ? moreWords : 0)
  while (kept.length > 1 && kept.reduce((sum, part) => sum + lengthOf(part), 0) > room()) {
    const longest = Math.max(...kept.map(lengthOf))
    kept.splice(
      kept.findIndex((part) => lengthOf(part) === longest),
      1,
    )
  }
  const more = joined.length - kept.length
  const shown = kept.map(({ rank, words: one, within }, at): Phrase => {
    const last = kept[at - 1]
    if (within !== undefined && at === kept.length - 1 && more === 0) return within
    const areShares = last !== undefined && shareRanks.includes(last.rank) && shareRanks.includes(rank)
    const isEither = firstWord(one) === "either"
    const isLinked = at > 0 && firstWord(last?.words) === firstWord(one)
    const isFollowed = isEither && at < kept.length - 1
    const link = isEither && at > 0 ? ", " : areShares || isLinked ? " and " : " "
    return [link, ...(isFollowed && !hasBrackets(one) ? bracketed(one) : one)]
  })
  if (more > 0) shown.push([` who match ${more} more condition${more === 1 ? "" : "s"}`])
  const said = shown.flat()
  return [...said, ...exceptWords(rules, place, said)]
}

/** In "who match 2 more conditions". */
const moreWords = 5

/** The word that begins a clause; "who" also for "whose". */
function firstWord(words: Phrase | undefined): string | undefined {
  const first = words?.find((part) => part !== "")
  return typeof first === "string" ? first.split(" ")[0]?.replace(/^whose$/, "who") : undefined
}

const [shareRanks, lateRank, groupRank] = [[3, 4], 5, 6]

/** Places come first, what a user lacks comes late, exceptions and then alternatives come last. */
function rankOf(clause: Clause, place: Place): number {
  const { condition, holds } = clause
  if (shareOf(condition) !== undefined) return 4
  if ("parts" in condition) return isException(clause) ? groupRank : groupRank + 1
  if (!holds || condition.kind === "flag" || presenceIn(condition) === false) return 2
  return condition.kind === "comparison" && isPlace(condition) && condition.attribute === place ? 0 : 1
}

/** Empty for a clause that another one's words include. */
function clauseWords(clause: Clause, clauses: Term, place: Place): Phrase {
  const { condition, holds } = clause
  if (isComparison(clause))
    return clauses.some((other) => isEmptyText(other, clause)) ? [] : attributeWords(clause, clauses, place)
  if (condition.kind === "share")
    return clauses.some((other) => isEmptyText(clause, other))
      ? phrase`with an empty ${condition.by}`
      : inShareWords(condition, holds)
  if (isReference(condition)) return namedWords(condition, holds)
  return "parts" in condition ? alternativeWords(condition.parts, place) : []
}

/** Whom a term leaves out, in brackets. */
function exceptionOf(condition: Condition, place: Place): Pick<Part, "words" | "within"> {
  const except = phrase`except those${partWords(condition, place)}`
  if (!hasBrackets(except)) return { words: bracketed(except) }
  const words = phrase`(except those matching a condition by ${listPhrase(namesIn(condition), 3)})`
  return { words, within: [", ", ...except] }
}

/** Whether users have an attribute and are in no share by it: its text is empty. */
function isEmptyText(outside: Clause, present: Clause): boolean {
  const share = shareOf(outside.condition)
  const { condition, holds } = present
  const isPresent = holds && condition.kind === "comparison" && presenceIn(condition) === true
  const isInNone = !outside.holds && share?.from === 0 && share.to === 100
  return isPresent && isInNone && condition.attribute === share.by
}

/** The ranges of shares that must hold, without those that must not, and the other clauses. */
function shareRangesIn(clauses: Term): { readonly shares: readonly Share[]; readonly rest: Term } {
  const shares: Share[] = []
  const taken = new Set<Clause>()
  for (const alike of Map.groupBy(shareClausesIn(clauses), ({ share }) => seedName(share)).values()) {
    const [inside = [], outside = []] = [true, false].map((holds) =>
      alike.flatMap(({ clause, share }) => (clause.holds === holds ? [share] : [])),
    )
    const [share] = inside
    const range = share && rangeLeft(inside, outside)
    if (share === undefined || range === undefined) continue
    shares.push({ ...share, ...range })
    for (const { clause } of alike) taken.add(clause)
  }
  return { shares, rest: clauses.filter((clause) => !taken.has(clause)) }
}

/** The words for a part of a group, which may match everyone. */
export function partWords(condition: Condition, place: Place): Phrase {
  const clauses = clausesOf(condition)
  return clauses.length > 0 ? words(clauses, place) : [" ", "of any kind"]
}

/** Such as `either in DE or (with plan pro and with role staff)`. One with brackets of its own comes last, without brackets. */
function alternativeWords(parts: readonly Condition[], place: Place): Phrase {
  const shown = parts.slice(0, mostItems).map((part) => alternativeOf(part, place))
  const more = parts.length - shown.length
  const others = more === 1 ? "matching 1 more condition" : `matching one of ${more} more conditions`
  const nested = more > 0 ? undefined : shown.find(({ within }) => within !== undefined)
  const said = shown.flatMap((each) => (each === nested ? [] : [each.words]))
  const last = more > 0 ? [[others]] : nested?.within ? [nested.within] : []
  return phrase`either ${joinLast([...said, ...last], "or")}`
}

/** In brackets, unless it is one clause without commas and conjunctions of its own. */
function alternativeOf(part: Condition, place: Place): Pick<Part, "words" | "within"> {
  const clauses = clausesOf(part)
  const [only] = clauses
  const isNot = only !== undefined && clauses.length === 1 && isException(only)
  const said = partWords(isNot ? only.condition : part, place).slice(1)
  if (!isNot && clauses.length < 2 && !/, | or | and /.test(frameOf(said))) return { words: said }
  const not = isNot ? ["not "] : []
  if (!hasBrackets(said)) return { words: [...not, ...bracketed(said)] }
  const words = phrase`${not}matching a condition by ${listPhrase(namesIn(part), 3)}`
  return isNot ? { words } : { words, within: said }
}

function namedWords(reference: Reference, holds: boolean): Phrase {
  if (reference.kind === "segment") return phrase`${[holds ? "in" : "outside"]} ${shortName(reference)}`
  return phrase`who ${[holds ? "get" : "do not get"]} ${valueWords(reference.is)} from ${shortName(reference)}`
}

/** A segment or flag by its name. */
function shortName(reference: Reference): Phrase {
  return reference.kind === "segment" ? phrase`segment ${reference.name}` : phrase`flag ${reference.key}`
}

/** Rules that come first on both sides: nothing changes for users for whom they decide. In a long sentence, only their numbers. */
function exceptWords(rules: Term, place: Place, said: Phrase, most = mostWords): Phrase {
  if (rules.length === 0) return []
  const numbered = rules.toSorted((a, b) => (a.rule ?? 0) - (b.rule ?? 0))
  if (numbered.length > mostItems) {
    const by = new Set(numbered.flatMap(({ condition }) => [...namesIn(condition)]))
    const isFirst = numbered.every(({ rule }, at) => rule === at + 1)
    const which = isFirst ? `rules 1 to ${numbered.length}` : `${numbered.length} rules`
    return phrase` except those who match ${[which]} (by ${listPhrase(by, 3)})`
  }
  const all = numbered.map(({ condition, rule = 0 }) => {
    const whom = ruleUsers(condition, place)
    return whom === undefined
      ? phrase`those who match rule ${rule} (by ${listPhrase(namesIn(condition), 3)})`
      : phrase`${whom} (rule ${rule})`
  })
  const words = phrase` except ${joinLast(all, "and")}`
  if (countWords([...said, ...words]) <= most) return words
  const numbers = numbered.map(({ rule = 0 }) => [String(rule)])
  return phrase` except those who match ${[numbers.length === 1 ? "rule" : "rules"]} ${joinLast(numbers, "and")}`
}

/** Whom a rule matches; `undefined` if that would be long. */
export function ruleUsers(condition: Condition, place = placeIn(termsOf(condition))): Phrase | undefined {
  const parts = (condition.kind === "any" ? condition.parts : [condition]).map(clausesOf)
  if (parts.some((clauses) => clauses.length === 0)) return ["everyone"]
  const whom = joinPhrases(
    parts.map((clauses) => words(clauses, place).slice(1)),
    ", or ",
  )
  return plainPhrase(whom).length <= mostCharacters ? phrase`users ${whom}` : undefined
}

/** What a condition depends on: segments, other flags and attributes by their names, each once. */
export function namesIn(condition: Condition): ReadonlySet<string> {
  const names = [...visit(condition)].flatMap((part) => {
    if (part.kind === "segment") return part.name
    if (part.kind === "flag") return part.key
    return "parts" in part ? [] : attributeOf(part)
  })
  return new Set(names)
}

/** The maximum length of the words for who gets what; beyond it, they name what that depends on. */
export const mostCharacters = 60

/** The maximum number of words for users and the rules that come first, and for users of whom a sentence says more. */
export const [mostWords, mostDivided] = [18, 20]

/** The maximum number of clauses in the words for one term. */
const mostClauses = 6

/** The verb after words for users. */
export function verbFor(users: Phrase, plural: string, singular: string): string {
  const subject = plainPhrase(users)
  return subject.startsWith("everyone") && !subject.includes(", and ") ? singular : plural
}
