import type { Term } from "../conditions/clause.ts"
import { flatten } from "../conditions/flatten.ts"
import type { Group } from "../conditions/moves/group.ts"
import { hasRule, type Outcome, type Sides } from "../conditions/moves/outcome.ts"
import {
  countWords,
  joinLast,
  joinPhrases,
  listPhrase,
  type Phrase,
  phrase,
  plainPhrase,
} from "../diagnostics/phrase.ts"
import { visit } from "../language/condition.ts"
import { bracketed, hasBrackets } from "./share-words.ts"
import { namesIn, ruleUsers } from "./users.ts"

/** The maximum number of clauses in words; a set of users that takes more is named by its rules. */
const mostClauses = 6

/** The maximum number of words for users: what they get takes up to six more, and a sentence has 30. */
const mostWords = 24

/**
 * Whether words for terms are hard to read: many of them or of their clauses, nested alternatives, two exceptions, or
 * alternatives beside another clause. Excluded rules are named by their numbers already.
 */
export function areHard(words: Phrase, terms: readonly Term[]): boolean {
  if (/, \(?either |matching a condition by|\(except .*\(except /.test(plainPhrase(words))) return true
  if (countWords(words) > mostWords) return true
  const clauses = terms.flatMap(flatten).filter(({ rule }) => rule === undefined)
  const spelled = clauses.flatMap(({ condition }) =>
    [...visit(condition)].filter((part) => !("parts" in part)),
  )
  return spelled.length > mostClauses
}

/**
 * The users of a group by the rules that decided and now decide what they get. As all of these rules give the group's
 * values, they are exactly those who move. If one is a split that gives other values, too, they are some of these users: said
 * only if `words`, which name the users themselves, are too many; else `undefined`.
 */
export function usersByRules(
  { before, after, moves }: Group,
  sides: Pick<Sides, "before" | "after">,
  words: Phrase,
): Phrase | undefined {
  const [from, to] = [new Set(moves.map((move) => move.before)), new Set(moves.map((move) => move.after))]
  const gaveOthers = before !== undefined && giveOthers(from, sides.before, before)
  const areSome = gaveOthers || giveOthers(to, sides.after, after)
  if (areSome && countWords(words) <= mostWords) return undefined
  const users = areSome ? "some users" : "users"
  const isOneSide = before === undefined || ordered(from, sides.before) === ordered(to, sides.after)
  const wordings = [
    [ruleWords, ruleWords],
    [numberWords, ruleWords],
    [numberWords, numberWords],
  ] as const
  const all = wordings.map(([had, has]) => {
    if (isOneSide) return phrase`${[users]} whom ${rulesWords(to, has)} decides`
    // Of a side without rules, such as a disabled flag, nothing is said.
    const parts = [
      ...(sides.before.some(hasRule) ? [phrase`${rulesWords(from, had)} decided before`] : []),
      ...(sides.after.some(hasRule) ? [phrase`${rulesWords(to, has)} decides now`] : []),
    ]
    return phrase`${[users]} whom ${joinPhrases(parts, " and ")}`
  })
  return all.find((words) => countWords(words) <= mostWords) ?? all.at(-1)
}

/** Outcomes and those that come before them, by name: if both sides have the same, they decide for the same users. */
function ordered(own: ReadonlySet<Outcome>, side: readonly Outcome[]): string {
  const until = side.findLastIndex((outcome) => own.has(outcome))
  const all = side.slice(0, until + 1)
  return JSON.stringify(all.map((outcome) => [own.has(outcome), outcome.rule === undefined, outcome.name]))
}

/** Whether rules of one side that have these outcomes also give a value that is not the group's. */
function giveOthers(outcomes: ReadonlySet<Outcome>, side: readonly Outcome[], given: Outcome): boolean {
  const numbers = new Set([...outcomes].map(({ rule }) => rule?.number))
  return side.some(({ rule, value }) => numbers.has(rule?.number) && value !== given.value)
}

/** More rules are counted. */
const mostRules = 3

/** Such as `rule 2 (users in segment staff) or no rule`. The arms of a split are one rule. */
function rulesWords(outcomes: ReadonlySet<Outcome>, wordsOf: typeof ruleWords): Phrase {
  const rules = [...Map.groupBy(outcomes, ({ rule }) => rule?.number)].sort(([a = 0], [b = 0]) => a - b)
  const numbered = rules.flatMap(([number, alike]) => (number === undefined ? [] : [{ number, alike }]))
  const none = rules.length > numbered.length ? [["no rule"]] : []
  if (numbered.length > mostRules) {
    const names = new Set(numbered.flatMap(({ alike }) => namesOf(alike)))
    const by = wordsOf === numberWords ? [] : phrase` (by ${listPhrase(names, 3)})`
    return joinLast([phrase`one of ${numbered.length} rules${by}`, ...none], "or")
  }
  return joinLast([...numbered.map(({ number, alike }) => wordsOf(number, alike)), ...none], "or")
}

function ruleWords(number: number, outcomes: readonly Outcome[]): Phrase {
  const [only, ...others] = outcomes
  const users = only && others.length === 0 ? ruleUsers(only.condition) : undefined
  if (users !== undefined && plainPhrase(users) === "everyone") return numberWords(number)
  const said = users !== undefined && !hasBrackets(users) ? users : undefined
  return phrase`rule ${number} ${bracketed(said ?? phrase`by ${listPhrase(new Set(namesOf(outcomes)), 3)}`)}`
}

const numberWords = (number: number) => phrase`rule ${number}`

function namesOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ condition }) => [...namesIn(condition)])
}
