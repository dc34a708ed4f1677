import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Clause, Term } from "../conditions/clause.ts"
import { type Phrase, phrase } from "../diagnostics/phrase.ts"
import { type Comparison, operandText } from "../language/condition.ts"
import { operators } from "../language/operators.ts"
import type { Bound } from "../language/question.ts"

/** Where a condition bounds an attribute that has an order. */
export interface AttributeBound extends Bound {
  readonly attribute: string
  readonly value: string
  /** Whether the time is shown even at midnight. */
  readonly hasTime?: boolean
}

/** The bounds of one attribute: at least one. */
export interface Bounds extends Pick<AttributeBound, "order" | "attribute"> {
  readonly low: AttributeBound | undefined
  readonly high: AttributeBound | undefined
  /** Whether users without the attribute are included. */
  readonly orNone: boolean
}

/** The bound that a comparison sets or, if it must not hold, its complement. */
export function boundBy(
  { order, isUpper, isInclusive }: Bound,
  condition: Comparison,
  holds: boolean,
): AttributeBound {
  const { attribute } = condition
  const value = operandText(condition)
  return { order, attribute, value, isUpper: isUpper === holds, isInclusive: isInclusive === holds }
}

/** Whether a clause is an end of a range and another clause is, or requires, its other end. */
export function isRange(clause: Clause, other: Clause): boolean {
  const [bound, end] = [boundIn(clause), boundIn(other)]
  return (
    bound !== undefined &&
    end !== undefined &&
    rangeName(bound) === rangeName(end) &&
    (other.holds || bound.isUpper !== end.isUpper)
  )
}

function boundIn({ condition, holds }: Clause): AttributeBound | undefined {
  if (condition.kind !== "comparison") return undefined
  const question = operators.get(condition.operator)?.question
  return question?.kind === "bound" ? boundBy(question, condition, holds) : undefined
}

function rangeName({ order, attribute }: AttributeBound): string {
  return JSON.stringify([order, attribute])
}

/** The ranges of attributes, each with at most one bound at each end, and the clauses that are in none. */
export function rangesIn(clauses: Term): { readonly ranges: readonly Bounds[]; readonly others: Term } {
  const bounded = clauses.flatMap((clause) => {
    const bound = boundIn(clause)
    return bound === undefined ? [] : [{ clause, bound }]
  })
  const ranges: Bounds[] = []
  const taken = new Set<Clause>()
  for (const alike of Map.groupBy(bounded, ({ bound }) => rangeName(bound)).values()) {
    const [first] = alike
    const [high = [], low = []] = [true, false].map((isUpper) =>
      alike.filter(({ bound }) => bound.isUpper === isUpper),
    )
    if (first === undefined || high.length > 1 || low.length > 1) continue
    const { order, attribute } = first.bound
    // If none must hold, the attribute may be missing.
    const orNone = !alike.some(({ clause }) => clause.holds)
    ranges.push({ order, attribute, low: low[0]?.bound, high: high[0]?.bound, orNone })
    for (const { clause } of alike) taken.add(clause)
  }
  return { ranges, others: clauses.filter((clause) => !taken.has(clause)) }
}

/** A range in words, such as `with n above 5 up to 10` or `whose n is not above 10`. */
export function boundsWords(bounds: Bounds): Phrase {
  const { order, attribute, orNone } = bounds
  const inZone = inOneZone(bounds)
  if (orNone) return phrase`whose ${attribute} is ${outsideWords(inZone)}`
  return phrase`${[order === "version" ? "on" : "with"]} ${attribute} ${rangeWords(inZone)}`
}

/** Moments that are written in two time zones, both in UTC with their time. */
function inOneZone(bounds: Bounds): Bounds {
  const { order, low, high } = bounds
  if (order !== "moment" || !low || !high || zoneOf(low) === zoneOf(high)) return bounds
  return { ...bounds, low: inUtc(low), high: inUtc(high) }
}

function zoneOf({ value }: AttributeBound): string {
  return /[+-]\d\d:\d\d$/.exec(value)?.[0] ?? "Z"
}

function inUtc(bound: AttributeBound): AttributeBound {
  const moment = parseMoment(bound.value)
  const value = moment === undefined ? bound.value : new Date(moment).toISOString().replace(".000Z", "Z")
  return { ...bound, value, hasTime: true }
}

/** A range by what is outside it: a value that is missing, or cannot be read, is on neither side. */
function outsideWords({ low, high }: Bounds): Phrase {
  if (low && high) return phrase`neither ${beyond(low)} nor ${beyond(high)}`
  const bound = low ?? high
  return bound ? phrase`not ${beyond(bound)}` : []
}

/** The values on the other side of a bound. */
function beyond(bound: AttributeBound): Phrase {
  return endWords({ ...bound, isUpper: !bound.isUpper, isInclusive: !bound.isInclusive })
}

/** All values on one side of a bound, such as `5 or more` or `before 4.2`. */
function endWords(bound: AttributeBound): Phrase {
  const { order, isUpper, isInclusive } = bound
  if (isInclusive && order !== "moment") return phrase`${shown(bound)} ${[orBeyond[order][isUpper ? 1 : 0]]}`
  if (isInclusive) return phrase`${[isUpper ? "up to" : "from"]} ${shown(bound)}`
  const [above, below] = order === "number" ? ["above", "below"] : ["after", "before"]
  return phrase`${[isUpper ? below : above]} ${shown(bound)}`
}

const orBeyond = { number: ["or more", "or less"], version: ["or later", "or earlier"] } as const

function rangeWords({ order, low, high }: Bounds): Phrase {
  if (low && high && low.value === high.value) return phrase`${shown(high)}`
  if (low === undefined || high === undefined) return endWords((low ?? high) as AttributeBound)
  const [above, below] = order === "number" ? ["above", "below"] : ["after", "before"]
  const to = high.isInclusive ? "up to" : `${low.isInclusive ? "to" : "and"} ${below}`
  return phrase`${[low.isInclusive ? "from" : above]} ${shown(low)} ${[to]} ${shown(high)}`
}

/** Midnight in UTC is shown as its date if that whole day is included, or none of it. */
function shown({ order, value, isUpper, isInclusive, hasTime }: AttributeBound): string {
  const isWholeDay = order === "moment" && isUpper !== isInclusive && hasTime !== true
  return isWholeDay ? value.replace(/T00:00:00(\.0+)?Z$/i, "") : value
}
