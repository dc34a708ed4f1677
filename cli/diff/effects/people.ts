import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { scopeOfFlag } from "../../../sdk/evaluation/operators.ts"
import { type ContextSet, complement, contextsOf, intersection } from "../../conditions/context-set.ts"
import { subjectOf } from "../../phrases/people.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { MayMeet } from "../transitions/may-meet.ts"
import type { Outcome } from "../transitions/outcomes.ts"

/** People who match some outcomes, and none of the rules that stood or stand before these. */
export interface People {
  readonly matching: readonly Outcome[]
  /** The rules that did not match them. */
  readonly unmatchedBefore: readonly Outcome[]
  /** The rules that do not match them now. */
  readonly unmatchedAfter: readonly Outcome[]
}

/** How a sentence names people. */
export interface PeopleWords {
  readonly subject: Phrase
  readonly isEveryone: boolean
  /** ` unless an earlier rule matches them`, or nothing. */
  readonly unless: Phrase
}

/** Names people by what they match, as shortly as is true of all whose attributes are neither lists nor objects. */
export function wordsOf(people: People, environment: string, mayMeet: MayMeet): PeopleWords {
  const { unmatchedBefore, unmatchedAfter } = people
  const clauses = leastClauses(people, mayMeet)
  const group = intersection(...clauses.map(({ contexts }) => contexts))
  const meets = (outcomes: readonly Outcome[]) =>
    outcomes.some(({ contexts }) => mayMeet("plain", group, contexts))
  const onlyBefore = meets(without(unmatchedBefore, unmatchedAfter))
  const onlyAfter = meets(without(unmatchedAfter, unmatchedBefore))
  const verb =
    onlyBefore && onlyAfter
      ? "matches or matched"
      : onlyBefore
        ? "matched"
        : onlyAfter || meets(unmatchedAfter)
          ? "matches"
          : undefined
  const [first, ...more] = clauses.map(({ condition }) => condition)
  if (first !== undefined)
    return {
      subject: subjectOf(first, ...more),
      isEveryone: false,
      unless: verb === undefined ? [] : [` unless an earlier rule ${verb} them`],
    }
  const whom = verb === undefined ? "" : ` whom no rule ${verb}`
  return { subject: phrase`everyone in ${environment}${[whom]}`, isEveryone: true, unless: [] }
}

function without(outcomes: readonly Outcome[], others: readonly Outcome[]): readonly Outcome[] {
  if (others.length === 0) return outcomes
  const names = new Set(others.map(({ name }) => name))
  return outcomes.filter(({ name }) => !names.has(name))
}

interface Clause {
  readonly condition: Condition
  readonly contexts: ContextSet
}

/** The conditions that people match, without those that follow from another one. */
function leastClauses(people: People, mayMeet: MayMeet): readonly Clause[] {
  const clauses = people.matching.flatMap(({ rule, contexts }) =>
    rule === undefined || rule.operator === "always" ? [] : [{ condition: rule, contexts }],
  )
  const [one, other] = clauses
  const listed = listedClause(people)
  if (listed !== undefined) return [listed]
  if (one === undefined || other === undefined) return clauses
  if (!mayMeet("plain", one.contexts, complement(other.contexts))) return [one]
  return mayMeet("plain", other.contexts, complement(one.contexts)) ? clauses : [other]
}

/** Where rules list texts of one attribute: the texts that are in all lists and in none of an earlier rule. */
function listedClause({ matching, unmatchedBefore, unmatchedAfter }: People): Clause | undefined {
  const own = matching.filter(({ rule }) => rule !== undefined && rule.operator !== "always")
  const attribute = own[0]?.rule?.attribute ?? ""
  const textsBy = ({ rule, texts }: Outcome) => (rule?.attribute === attribute ? texts : undefined)
  const [first, ...more] = own.map(textsBy)
  if (first === undefined || more.includes(undefined)) return undefined
  const taken = [...unmatchedBefore, ...unmatchedAfter].flatMap((outcome) => textsBy(outcome) ?? [])
  const left = [...first].filter(
    (text) => more.every((texts) => texts?.has(text)) && !taken.some((texts) => texts.has(text)),
  )
  if (left.length === 0) return undefined
  const condition = { attribute, operator: "in", value: JSON.stringify(left) }
  return { condition, contexts: contextsOf(condition, scopeOfLists) }
}

/** Lists need neither shares nor expressions. */
const scopeOfLists = scopeOfFlag("", { compileExpression: () => undefined })
