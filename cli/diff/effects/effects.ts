import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import type { Doubt } from "../../conditions/answer.ts"
import {
  clauseName,
  conditionOf,
  createMeets,
  createSets,
  type Term,
  termSet,
} from "../../conditions/clause.ts"
import { isNothing, union } from "../../conditions/context-set.ts"
import { jsonContext } from "../../conditions/json-context.ts"
import { mergeLists } from "../../conditions/merge-lists.ts"
import { shareUpTo } from "../../conditions/share-range.ts"
import { joinTerms, simplify, simplifyEach } from "../../conditions/simplify.ts"
import { createIsEmpty, type Simplifying } from "../../conditions/simplify-term.ts"
import { findContext, isIn } from "../../conditions/witness.ts"
import { createWork } from "../../conditions/work.ts"
import { always } from "../../language/comparisons.ts"
import type { ConditionNames } from "../../phrases/condition-names.ts"
import { type Phrase, phrase, valueWords } from "../../phrases/phrase.ts"
import { userSplitWords } from "../../phrases/user-split-words.ts"
import { usersWho, userWords, verbFor } from "../../phrases/users.ts"
import { changeWords, longValueWords } from "../../phrases/value-step.ts"
import { isPlain, type Move } from "../transitions/moves.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Effect, Group, UserSplit } from "./effect.ts"
import { createDividing, type Division, splitOf } from "./user-splits.ts"

/** Steps for all sentences about a flag in an environment. */
const steps = 1_000_000

/**
 * Who gets a different value in an environment, by the two values. Contexts with lists or objects come last. Empty if
 * everyone gets a new flag's default.
 */
export function effectsOf(transition: Transition): readonly Effect[] {
  const { environment, moves, isNew, isCutShort, after } = transition
  const rest = after.at(-1)
  if (isNew && rest?.rule === undefined && moves.every((move) => move.after.value === rest?.value)) return []
  const searching: Searching = {
    setOf: createSets(transition.scope),
    meets: createMeets(),
    shapes: "any",
    work: createWork(steps),
  }
  const byValues = Map.groupBy(moves, ({ before, after, doubt }) =>
    JSON.stringify([before.value, after.value, doubt !== undefined]),
  )
  const [lists = [], users = []] = [true, false].map((isOnlyLists) =>
    [...byValues.values()].filter((moves) => moves.every((move) => move.isOnlyLists) === isOnlyLists),
  )
  const groups = groupsOf([...users, ...lists], transition, searching)
  const vague = phrase`${[groups.length > 0 ? "other users" : "users"]} in ${environment} may get a different value; the flag is too large to say which`
  return [
    ...groups.map((group) => ({
      environment,
      ...sentenceOf(group, groups, transition, searching),
      group,
    })),
    ...(isCutShort ? [{ environment, who: vague }] : []),
  ]
}

/** A term and the shares whose sentence covers it. */
interface DividedTerm {
  readonly term: Term
  readonly division: Division | undefined
}

type Searching = Omit<Simplifying, "isNamed">

/** Leaves conditions that have a name whole. */
function keepingNames(searching: Searching, { referenceOf, ruleOf }: ConditionNames): Simplifying {
  const isNamed: Simplifying["isNamed"] = ({ condition, holds }) =>
    referenceOf(condition) !== undefined || (!holds && ruleOf(condition) !== undefined)
  return { ...searching, isNamed }
}

/**
 * The maximum number of clauses in all terms together. For larger groups, only the conditions of the two outcomes are
 * given.
 */
const mostClauses = 20_000

/** The users that move from one value to another, those picked by a share apart from the others. */
function groupsOf(
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

/** A sentence that is true of everyone it names, if no attribute is a list or an object. */
function sentenceOf(
  group: Group,
  groups: readonly Group[],
  transition: Transition,
  searching: Searching,
): Pick<Effect, "who" | "users"> {
  const { before, after, doubt, witness, moves } = group
  const isRest = transition.isNew && after.value === transition.after.at(-1)?.value && groups.length > 1
  const { split } = group
  const names = transition.namesFor(
    groups.filter((one) => one === group || (split && one.split === split)).flatMap((one) => one.moves),
  )
  const plain = keepingNames({ ...searching, shapes: "plain" }, names)
  const who = split?.isKnown ? userSplitWords(split, wordsIn(transition, split), names) : undefined
  if (split && who) return { who, users: phrase`users${userWords(split.who, names).whom}` }
  const inside = longValueWords(before?.returns, after.returns)
  const gain = inside ?? changeWords(before?.returns, after.returns)
  const sentence = (users: Phrase, isSure: boolean) => {
    if (!isSure) return phrase`${users} may get ${gain}`
    return inside === undefined
      ? phrase`${gain} for ${users}`
      : phrase`${users} ${[verbFor(users, "get", "gets")]} ${inside}`
  }
  const example = witness ?? moves[0]?.witness
  if (moves.every((move) => move.isOnlyLists)) return { who: sentence(listExample(example), true) }
  const isSure = witness !== undefined && isPlain(witness)
  const terms = simplify(group.terms, plain)
  const left = terms.filter(
    (term) =>
      (isSure && terms.length === 1) ||
      findContext(termSet(term, plain.setOf), { shapes: "plain", work: plain.work.share(0.1) }).kind !==
        "none",
  )
  const condition = conditionOf(left) ?? group.condition
  if (left.length === 0 && doubt !== undefined) return { who: sentence(["contexts with a list"], false) }
  if (left.length === 0) return { who: sentence(listExample(example), true) }
  const users = usersWho(condition, names)
  if (isRest) return { who: phrase`${gain} for everyone else`, users }
  return { who: sentence(users, doubt === undefined), users }
}

/** Words for the values of shares: the default is only named so if no share gives it. */
function wordsIn(
  { before, after }: Transition,
  { armsBefore, armsAfter }: UserSplit,
): (value: string) => Phrase {
  const [one, other] = [before.at(-1), after.at(-1)]
  const isDefault = (value: string) =>
    value === other?.value &&
    other.rule === undefined &&
    (one?.rule !== undefined || one?.value === value || one?.value === "") &&
    !armsBefore.has(value) &&
    !armsAfter.has(value)
  return (value) => {
    if (isDefault(value)) return ["default"]
    return valueWords([...after, ...before].find((outcome) => outcome.value === value)?.returns ?? null)
  }
}

/** Words for contexts that need a separate sentence, because the others are about attributes with one value. */
function listExample(witness: Context = {}): Phrase {
  const kind = Object.values(witness).some(Array.isArray) ? "a list" : "an object"
  const example = jsonContext(witness)
  return example === undefined
    ? phrase`contexts with ${[kind]}`
    : phrase`contexts with ${[kind]} such as ${JSON.stringify(example)}`
}
