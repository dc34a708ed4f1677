import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import type { ContextSet } from "../../conditions/context-set.ts"
import { jsonContext } from "../../conditions/json-context.ts"
import { valueWords } from "../../phrases/people.ts"
import { type Phrase, phrase, shownLength } from "../../phrases/phrase.ts"
import { valueStep } from "../../phrases/value-step.ts"
import type { RuleEdited } from "../differences/difference.ts"
import type { Move } from "../transitions/moves.ts"
import { decidedBy, type Outcome } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import { type People, wordsOf } from "./people.ts"

/** A whole sentence, without its full stop, about people who get another value. */
export interface Statement {
  readonly who: Phrase
  readonly moves: readonly Move[]
}

/**
 * Says which of these moves' people get another value, in at most so many sentences. Each is true of everybody whom it
 * names; no move is in two.
 */
export function statementsOf(
  transition: Transition,
  moves: readonly Move[],
  most: number,
): readonly Statement[] {
  const statements: Statement[] = []
  const open = new Set(moves)
  const onlyLists: Move[] = []
  for (const move of open) {
    if (statements.length === most) break
    const { before, after, isOnlyLists } = move
    const sides = [{ after }, { before }] as const
    const side = isOnlyLists ? undefined : sides.find((one) => isWhole(transition, one, open))
    const own = side === undefined ? [move] : [...open].filter(isOf(side, after.value))
    for (const one of own) open.delete(one)
    if (isOnlyLists) {
      onlyLists.push(move)
      continue
    }
    const people = {
      matching: Object.values(side ?? { after, before }).filter((outcome) => outcome !== undefined),
      unmatchedBefore: transition.before.slice(0, side === sides[0] ? 0 : before?.at),
      unmatchedAfter: transition.after.slice(0, side === sides[1] ? 0 : after.at),
    }
    statements.push({ who: sentence(transition, people, own), moves: own })
  }
  const [first] = onlyLists
  if (first === undefined) return statements
  return [...statements, { who: listSentence(transition, first, onlyLists.length), moves: onlyLists }]
}

/** An outcome on one side. */
type SidedOutcome = { readonly after: Outcome } | { readonly before: Outcome | undefined }

/** The moves from or to an outcome; with a value, those that end with it. */
function isOf(side: SidedOutcome, value?: string): (move: Move) => boolean {
  return ({ before, after }) =>
    ("after" in side ? after === side.after : before === side.before) &&
    (value === undefined || after.value === value)
}

/** Whether all people for whom an outcome decides certainly get another value, and all the same one. */
function isWhole(transition: Transition, side: SidedOutcome, open: ReadonlySet<Move>): boolean {
  const [outcome, own, others] =
    "after" in side
      ? ([side.after, transition.after, transition.before] as const)
      : ([side.before, transition.before, transition.after] as const)
  const moves = transition.moves.filter(isOf(side)).filter(({ isOnlyLists }) => !isOnlyLists)
  if (outcome === undefined || moves.some((move) => move.doubt !== undefined || !open.has(move))) return false
  if (moves.some(({ after }) => after.value !== moves[0]?.after.value)) return false
  const people = decidedBy(outcome, own)
  return !others.some(
    (other) => other.value === outcome.value && transition.mayMeet("plain", people, decidedBy(other, others)),
  )
}

function sentence({ environment, mayMeet }: Transition, people: People, moves: readonly Move[]): Phrase {
  const plain = moves.filter(({ isOnlyLists }) => !isOnlyLists)
  const [move] = plain
  if (move === undefined) return []
  const { subject, isEveryone, unless } = wordsOf(people, environment, mayMeet)
  const verb = move.doubt === undefined ? (isEveryone ? "now gets" : "now get") : "may now get"
  const hadOne = plain.every(({ before }) => before?.value === move.before?.value)
  return phrase`${subject} ${[verb]} ${hadOne ? gain(move) : valueWords(move.after.returns)}${unless}`
}

/** The new value and the one that it replaces; of long values only what differs inside. */
function gain({ before, after }: Move): Phrase {
  if (before === undefined) return valueWords(after.returns)
  if (isLong(before) && isLong(after))
    return phrase`a value that differs in ${valueStep(before.returns, after.returns)}`
  return phrase`${valueWords(after.returns)} instead of ${valueWords(before.returns)}`
}

/** Whether a value is an object or a list that is shown in part only. */
function isLong({ returns, value }: Outcome): boolean {
  return typeof returns === "object" && value.length > shownLength
}

function listSentence({ environment }: Transition, move: Move, count: number): Phrase {
  const example = listExample(move, environment)
  return count === 1
    ? phrase`${example} now get ${gain(move)}`
    : phrase`${example}, and ${count - 1} more kinds of them, now get another value`
}

/**
 * Contexts that need a sentence of their own, because the others speak of attributes with one value. Without an example
 * where JSON cannot say it.
 */
export function listExample({ witness = {} }: Move, environment: string): Phrase {
  const kind = Object.values(witness).some(Array.isArray) ? "a list" : "an object"
  const example = jsonContext(witness)
  return example === undefined
    ? phrase`some contexts in ${environment} with ${[kind]}`
    : phrase`contexts in ${environment} with ${[kind]} such as ${JSON.stringify(example)}`
}

/** One sentence about a percentage that rises or falls; `undefined` where the edit does more than that. */
export function shareStatement(
  transition: Transition,
  { before, after }: RuleEdited,
  moves: readonly Move[],
): Statement | undefined {
  const isShare = before.operator === "percentage" && after.operator === "percentage"
  if (!isShare || before.attribute !== after.attribute || moves.some(({ doubt }) => doubt !== undefined))
    return undefined
  const [from, to] = [
    transition.before.find(({ rule }) => rule === before),
    transition.after.find(({ rule }) => rule === after),
  ]
  if (from === undefined || to === undefined || !sameValue(before.returnValue, after.returnValue))
    return undefined
  if (Number(before.value) === Number(after.value)) return undefined
  const rises = Number(before.value) < Number(after.value)
  if (moves.length === 0 || moves.some((move) => (rises ? move.after !== to : move.before !== from)))
    return undefined
  // People who come from another share, or go to one, are dealt again: a share that rises or falls does not say so.
  if (moves.some((move) => isShareBy(after.attribute, rises ? move.before?.rule : move.after.rule)))
    return undefined
  const [larger, others] = rises ? [to, transition.before] : [from, transition.after]
  const has = (...sets: readonly ContextSet[]) => transition.mayMeet("plain", ...sets)
  const own = decidedBy(larger, rises ? transition.after : transition.before)
  const same = others.filter(
    (one) => one.value === larger.value && one !== from && one !== to && has(own, decidedBy(one, others)),
  )
  // People whom no rule matches get the value, too, so the share of people who get it is another one.
  if (same.at(-1) === others.at(-1)) return undefined
  // "Unless another rule matches" would leave out the very people who get another value.
  const isLeftOut = (lacking: Outcome | undefined) =>
    lacking !== undefined &&
    (same.length > 0 ? lacking.rule !== undefined : lacking.at < (rises ? from : to).at)
  if (moves.some((move) => isLeftOut(rises ? move.before : move.after))) return undefined
  const earlier = [...transition.before.slice(0, from.at), ...transition.after.slice(0, to.at)]
  const isMet = earlier.some(({ contexts }) => has(contexts, larger.contexts))
  const which = same.length > 0 ? "another" : isMet ? "an earlier" : undefined
  const unless = which === undefined ? "" : `, unless ${which} rule matches,`
  const who = phrase`the share of people by ${after.attribute} that get ${valueWords(after.returnValue)}${[unless]} ${[
    rises ? "rises" : "falls",
  ]} from ${before.value} % to ${after.value} %`
  return { who, moves }
}

function isShareBy(attribute: string, rule: Rule | undefined): boolean {
  return rule?.operator === "percentage" && rule.attribute === attribute
}
