import type { Condition } from "../../sdk/evaluation/condition.ts"
import { operatorOf } from "../language/operators.ts"
import type { Bound } from "../language/question.ts"
import { type Phrase, phrase } from "./phrase.ts"

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

/** The bound that a condition sets or, if it must not hold, its complement; `undefined` if it is about no order. */
export function boundOf(condition: Condition, holds: boolean): AttributeBound | undefined {
  const question = operatorOf(condition.operator)?.question
  return question?.kind === "bound" ? boundBy(question, condition, holds) : undefined
}

/** The same for a condition whose operator is a bound. */
export function boundBy(
  { order, isUpper, isInclusive }: Bound,
  { attribute, value }: Condition,
  holds: boolean,
): AttributeBound {
  return { order, attribute, value, isUpper: isUpper === holds, isInclusive: isInclusive === holds }
}

/** A range in words, such as `with n above 5 up to 10` or `whose n is up to 10 or missing`. */
export function boundsWords(bounds: Bounds): Phrase {
  const { order, attribute, orNone } = bounds
  const range = rangeWords(bounds)
  if (orNone) return phrase`whose ${attribute} is ${range} or missing`
  return phrase`${[order === "version" ? "on" : "with"]} ${attribute} ${range}`
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
