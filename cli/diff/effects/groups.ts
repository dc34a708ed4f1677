import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import type { Doubt } from "../../conditions/answer.ts"
import { clauseName, conditionOf, type Term, termSet } from "../../conditions/clause.ts"
import { isNothing, union } from "../../conditions/context-set.ts"
import { mergeLists } from "../../conditions/merge-lists.ts"
import { shareUpTo } from "../../conditions/share-range.ts"
import { joinTerms, simplifyEach } from "../../conditions/simplify.ts"
import { createIsEmpty, type Simplifying } from "../../conditions/simplify-term.ts"
import { findContext, isIn } from "../../conditions/witness.ts"
import { always } from "../../language/comparisons.ts"
import type { ConditionNames } from "../../phrases/condition-names.ts"
import type { Move } from "../transitions/moves.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import { createDividing, type Division } from "./divisions.ts"
import type { Group, UserSplit } from "./effect.ts"
import { splitOf } from "./user-splits.ts"

export type Searching = Omit<Simplifying, "isNamed">

/** Leaves conditions that have a name whole. */
export function keepingNames(searching: Searching, { referenceOf, ruleOf }: ConditionNames): Simplifying {
  const isNamed: Simplifying["isNamed"] = ({ condition, holds }) =>
    referenceOf(condition) !== undefined || (!holds && ruleOf(condition) !== undefined)
  return { ...searching, isNamed }
}

/** A term and the shares whose sentence covers it. */
interface DividedTerm {
  readonly term: Term
  readonly division: Division | undefined
}

/**
 * The maximum number of clauses in all terms together. For larger groups, only the conditions of the two outcomes are
 * given.
 */
const mostClauses = 20_000

/** The users that move from one value to another, those picked by a share apart from the others. */
export function groupsOf(
  byValues: readonly (readonly Move[])[],
  transition: Transition,
  searching: Searching,
): readonly Group[] {
  const sizeOf = (moves: readonly Move[]) =>
    moves.reduce((sum, { before, after }) => sum + before.at + after.at + 2, 0)
  let room = mostClauses
  const inFull = new Set<readonly Move[]>()
  for (const moves of byValues.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    room -= sizeOf(moves)
    if (room >= 0) inFull.add(moves)
  }
  const described = byValues.flatMap((moves) => {
    const [move] = moves
    if (move === undefined) return []
    const isInFull = inFull.has(moves)
    const simplifying = keepingNames(searching, transition.namesFor(moves))
    const terms = isInFull
      ? simplifyEach(
          moves.map((one) => termOf(one, transition, searching)),
          simplifying,
        )
      : withoutEarlier(moves)
    return [{ move, moves, isInFull, simplifying, terms, canDivide: isInFull && move.doubt === undefined }]
  })
  const divide = createDividing(
    described.flatMap(({ canDivide, terms }) => (canDivide ? terms : [])),
    transition,
    searching,
  )
  const byShares = described.flatMap(({ terms, canDivide, ...own }) => {
    const isDivided = (term: Term) => canDivide && divide(term)?.isOfShares === true
    const divided = mergeLists(terms.filter(isDivided)).map((term) => ({ term, division: divide(term) }))
    const others = terms.filter((term) => !isDivided(term))
    return [
      ...(others.length > 0 ? [{ ...own, terms: others, division: undefined }] : []),
      ...[...Map.groupBy(divided, ({ division }) => division?.name).values()].map((alike) => ({
        ...own,
        terms: alike.map(({ term }) => term),
        division: alike[0]?.division,
      })),
    ]
  })
  const splits = new Map<string | undefined, UserSplit | undefined>()
  for (const [name, alike] of Map.groupBy(byShares, ({ division }) => division?.name)) {
    const division = alike[0]?.division
    const terms = alike.flatMap((part) => part.terms.map((term) => ({ ...part.move, term })))
    const split = division && splitOf(terms, division, transition, searching)
    const names = transition.namesFor(alike.flatMap((part) => part.moves))
    const rest = split && simplifyEach([split.rest], keepingNames({ ...searching, shapes: "plain" }, names))
    const who = rest && conditionOf(rest)
    splits.set(name, split && { ...split, who: who ?? always, isKnown: split.isKnown && who !== undefined })
  }
  /** The shares whose sentence also says what users get who lack the attribute. */
  const splitOfRest = (terms: readonly Term[]) => {
    const [name, ...others] = new Set(terms.map((term) => divide(term)?.name))
    const split = splits.get(name)
    return others.length === 0 && (transition.isNew || (split?.coversOthers && split.isKnown))
      ? split
      : undefined
  }
  // A sentence about shares covers everyone who has the attribute, so only the others need a separate one.
  const parts = byShares.flatMap((part) => {
    const { move, isInFull, simplifying } = part
    if (part.division !== undefined || !isInFull || move.doubt !== undefined || transition.isNew)
      return [part]
    const isEmpty = createIsEmpty(simplifying)
    const divided = part.terms.flatMap((term): readonly DividedTerm[] => {
      const own = divide(term)
      const split = own && splits.get(own.name)
      const [seed, ...more] = split?.by ?? []
      if (split?.isKnown && split.coversOthers) return [{ term, division: own }]
      if (!split?.isKnown || seed === undefined || more.length > 0 || split.instead)
        return [{ term, division: undefined }]
      const condition = shareUpTo({ ...seed, to: 100 })
      return [true, false]
        .map((holds) => ({ term: [...term, { condition, holds }], division: holds ? own : undefined }))
        .filter((half) => !isEmpty(termSet(half.term, simplifying.setOf)))
    })
    return [...Map.groupBy(divided, ({ division }) => division?.name).values()].map((alike) => {
      const terms = simplifyEach(
        alike.map(({ term }) => term),
        simplifying,
      )
      return { ...part, terms, division: alike[0]?.division }
    })
  })
  return parts.map(({ move, moves, isInFull, simplifying, terms: each, division }): Group => {
    const terms = isInFull ? joinTerms(each, simplifying) : each
    const condition = conditionOf(terms)
    const isBound = condition === undefined || !isInFull
    const doubt: Doubt | undefined = move.doubt ?? (isBound ? "bound" : undefined)
    const set = union(...terms.map((term) => termSet(term, simplifying.setOf)))
    const found = (witness: Context | undefined) =>
      witness !== undefined && isIn(set, witness, simplifying.work)
    const isEmpty = createIsEmpty({ ...simplifying, work: simplifying.work.share(0.1) })
    const setOfMove = (one: Move) => termSet(termOf(one, transition, searching), searching.setOf)
    const isDivided = parts.some((part) => part.moves === moves && part.terms !== each)
    const own = isDivided ? moves.filter((one) => !isEmpty(set, setOfMove(one))) : moves
    return {
      before: transition.isNew ? undefined : move.before,
      after: move.after,
      condition: condition ?? conditionOf([commonTerm(terms).filter(({ holds }) => holds)]) ?? always,
      terms,
      doubt,
      witness:
        doubt === undefined
          ? (own.find((one) => found(one.witness))?.witness ?? witnessIn(terms, simplifying))
          : undefined,
      moves: own,
      split: doubt === undefined ? (splits.get(division?.name) ?? splitOfRest(each)) : undefined,
    }
  })
}

/** The conditions of the outcomes of moves; of many, only what they have in common, which covers more users than move. */
function withoutEarlier(moves: readonly Move[]): readonly Term[] {
  const terms = mergeLists(moves.map(({ before, after }) => clausesOf([before, after], true)))
  return conditionOf(terms) === undefined ? [commonTerm(terms)] : terms
}

/** The clauses that all terms have. */
function commonTerm(terms: readonly Term[]): Term {
  const [first = [], ...others] = terms
  const names = others.map((term) => new Set(term.map(clauseName)))
  return first.filter((clause) => names.every((own) => own.has(clauseName(clause))))
}

function witnessIn(terms: readonly Term[], { setOf, work }: Searching): Context | undefined {
  const set = union(...terms.map((term) => termSet(term, setOf)))
  const answers = (["plain", "any"] as const).map((shapes) =>
    findContext(set, { shapes, work: work.share(0.1) }),
  )
  return answers.flatMap((answer) => (answer.kind === "found" ? [answer.value] : []))[0]
}

/** What the contexts of a move match: both outcomes, and none of the rules before them. */
function termOf({ before, after }: Move, transition: Transition, { setOf }: Searching): Term {
  const earlier = [...transition.before.slice(0, before.at), ...transition.after.slice(0, after.at)]
  const clauses = [
    ...clausesOf([before, after], true),
    // A rule that cannot be read matches no one, and neither does a group with its condition.
    ...clausesOf(earlier, false).filter(({ condition }) => !isNothing(setOf({ condition, holds: true }))),
  ]
  return [...new Map(clauses.map((clause) => [clauseName(clause), clause])).values()]
}

function clausesOf(outcomes: readonly Outcome[], holds: boolean): Term {
  return outcomes.flatMap(({ rule }) => {
    if (rule === undefined || isAlways(rule.operator)) return []
    const { attribute, operator, value } = rule
    return [{ condition: { attribute, operator, value }, holds }]
  })
}
