import type { Term } from "../conditions/clause.ts"
import { flatten, termsOf } from "../conditions/flatten.ts"
import { shareOf } from "../conditions/share-range.ts"
import { joinPhrases, mostItems, type Phrase, phrase } from "../diagnostics/phrase.ts"
import type { Place } from "./comparison-words.ts"
import { isException, isInEmptyList, placeIn, saidOf } from "./said-clauses.ts"
import { byWords, percent } from "./share-words.ts"
import { partWords, words } from "./users.ts"

/**
 * The users who fulfil at least one term, as the object of a sentence. The words are about attributes with one value; for a
 * list or an object they may be wrong.
 */
export function usersWho(terms: readonly Term[]): Phrase {
  const place = placeIn(terms)
  const groups = terms
    .flatMap(alternativesOf)
    .filter((term) => !flatten(term).some((clause) => clause.holds && isInEmptyList(clause)))
  if (groups.length === 0) return ["no one"]
  const shown = groups.slice(0, mostItems).map((term) => usersOf(term, place))
  const more = groups.length - shown.length
  const all = more > 0 ? [...shown, [`${more} more group${more === 1 ? "" : "s"}`]] : shown
  return joinPhrases(all, ", and ")
}

/** The terms of which one is true if the only clause of a term is. */
function alternativesOf(term: Term): readonly Term[] {
  const [only, ...others] = flatten(term)
  const isAny = only?.holds && others.length === 0 && only.condition.kind === "any"
  return isAny ? termsOf(only.condition) : [term]
}

/** The share of users in a term, together with the rest that they must match. */
function usersOf(term: Term, place: Place): Phrase {
  const clauses = saidOf(term)
  const [only] = clauses
  if (only !== undefined && clauses.length === 1) {
    const { condition, holds } = only
    const share = holds ? shareOf(condition) : undefined
    if (share?.from === 0) return phrase`${[percent(share.to)]} % of users ${byWords(share)}`
    if (isException(only)) return phrase`everyone except those${partWords(condition, place)}`
  }
  const said = words(clauses, place)
  const isPlural = said.some((part) => typeof part === "string" && /^ ?who /.test(part))
  const who = clauses.some(({ holds }) => holds) ? "users" : isPlural ? "all users" : "everyone"
  return phrase`${[who]}${said}`
}
