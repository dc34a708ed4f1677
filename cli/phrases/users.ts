import type { Clause, Term } from "../conditions/clause.ts"
import { termsOf } from "../conditions/flatten.ts"
import { shareOf } from "../conditions/share-range.ts"
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
import { attributeOf, type Condition, presenceIn, type Reference, visit } from "../language/condition.ts"
import { isReference } from "../language/references.ts"
import { attributeWords, isComparison } from "./attribute-words.ts"
import { boundsWords, rangesIn } from "./bounds.ts"
import { inShareWords, isPlace, type Place } from "./comparison-words.ts"
import { type Part, withNeither } from "./neither.ts"
import {
  clausesOf,
  isEmptyText,
  isException,
  placeIn,
  rulesIn,
  saidOf,
  shareRangesIn,
} from "./said-clauses.ts"
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
  if (reference.kind === "segment") return phrase`${[holds ? "in" : "outside"]} segment ${reference.name}`
  return phrase`who ${[holds ? "get" : "do not get"]} ${valueWords(reference.is)} from flag ${reference.key}`
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
const [mostWords, mostDivided] = [18, 20]

/** The maximum number of clauses in the words for one term. */
const mostClauses = 6

/** The verb after words for users. */
export function verbFor(users: Phrase, plural: string, singular: string): string {
  const subject = plainPhrase(users)
  return subject.startsWith("everyone") && !subject.includes(", and ") ? singular : plural
}
