import type { Clause, Term } from "../conditions/clause.ts"
import { type Phrase, phrase } from "../diagnostics/phrase.ts"
import { type Comparison, operandText } from "../language/condition.ts"
import { operators } from "../language/operators.ts"
import type { Bound } from "../language/question.ts"

/** Where a condition bounds an attribute that has an order. */
export interface AttributeBound extends Bound {
  readonly attribute: string
  readonly value: string
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
    clause !== other &&
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
  if (orNone) return phrase`whose ${attribute} is ${outsideWords(bounds)}`
  return phrase`${[order === "version" ? "on" : "with"]} ${attribute} ${rangeWords(bounds)}`
}

/** A range by what is outside it: a value that is missing, or cannot be read, is on neither side. */
function outsideWords({ low, high }: Bounds): Phrase {
  if (low && high) return phrase`neither ${beyond(low)} nor ${beyond(high)}`
  const bound = low ?? high
  return bound ? phrase`not ${beyond(bound)}` : []
}

/** The values on the other side of a bound. */
function beyond(bound: AttributeBound): Phrase {
  const { order, isUpper, isInclusive } = bound
  const [above, below] = order === "number" ? ["above", "below"] : ["after", "before"]
  return phrase`${[isUpper ? (isInclusive ? above : "from") : isInclusive ? below : "up to"]} ${shown(bound)}`
}

function rangeWords({ order, low, high }: Bounds): Phrase {
  if (low && high && low.value === high.value) return phrase`${shown(high)}`
  if (order === "version" && low?.isInclusive && high === undefined) return phrase`${low.value} or later`
  const from =
    low && phrase`${[low.isInclusive ? "from" : order === "number" ? "above" : "after"]} ${shown(low)}`
  const below = order === "number" ? "below" : "before"
  const to =
    high &&
    phrase`${[high.isInclusive ? "up to" : from ? `${low?.isInclusive ? "to" : "and"} ${below}` : below]} ${shown(high)}`
  return phrase`${from ?? []}${from && to ? [" "] : []}${to ?? []}`
}

/** Midnight in UTC is shown as its date if that whole day is included, or none of it. */
function shown({ order, value, isUpper, isInclusive }: AttributeBound): string {
  return order === "moment" && isUpper !== isInclusive ? value.replace(/T00:00:00(\.0+)?Z$/i, "") : value
}
