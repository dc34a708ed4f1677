import type { Condition } from "../../sdk/evaluation/condition.ts"
import { type Phrase, phrase } from "./phrase.ts"

/** Where a condition bounds an attribute that has an order. */
export interface Bound {
  readonly by: "number" | "version" | "moment"
  readonly attribute: string
  readonly value: string
  readonly isUpper: boolean
  readonly isInclusive: boolean
}

/** The bounds of one attribute: at least one. */
export interface Bounds extends Pick<Bound, "by" | "attribute"> {
  readonly low: Bound | undefined
  readonly high: Bound | undefined
  /** Whether users without the attribute are included. */
  readonly orNone: boolean
}

const bounds: ReadonlyMap<string, Pick<Bound, "by" | "isUpper" | "isInclusive">> = new Map([
  ["greaterThan", { by: "number", isUpper: false, isInclusive: false }],
  ["greaterThanOrEquals", { by: "number", isUpper: false, isInclusive: true }],
  ["lessThan", { by: "number", isUpper: true, isInclusive: false }],
  ["lessThanOrEquals", { by: "number", isUpper: true, isInclusive: true }],
  ["semverGreaterThan", { by: "version", isUpper: false, isInclusive: false }],
  ["semverGreaterThanOrEquals", { by: "version", isUpper: false, isInclusive: true }],
  ["semverLessThan", { by: "version", isUpper: true, isInclusive: false }],
  ["semverLessThanOrEquals", { by: "version", isUpper: true, isInclusive: true }],
  ["after", { by: "moment", isUpper: false, isInclusive: false }],
  ["afterOrEquals", { by: "moment", isUpper: false, isInclusive: true }],
  ["before", { by: "moment", isUpper: true, isInclusive: false }],
  ["beforeOrEquals", { by: "moment", isUpper: true, isInclusive: true }],
])

/** The bound that a condition sets or, if it must not hold, its complement. */
export function boundOf({ attribute, operator, value }: Condition, holds: boolean): Bound | undefined {
  const bound = bounds.get(operator)
  if (bound === undefined) return undefined
  const own = { ...bound, attribute, value }
  return holds ? own : { ...own, isUpper: !bound.isUpper, isInclusive: !bound.isInclusive }
}

/** A range in words, such as `with n above 5 up to 10` or `whose n is up to 10 or missing`. */
export function boundsWords(bounds: Bounds): Phrase {
  const { by, attribute, orNone } = bounds
  const range = rangeWords(bounds)
  if (orNone) return phrase`whose ${attribute} is ${range} or missing`
  return phrase`${[by === "version" ? "on" : "with"]} ${attribute} ${range}`
}

function rangeWords({ by, low, high }: Bounds): Phrase {
  if (low && high && low.value === high.value) return phrase`${shown(high)}`
  if (by === "version" && low?.isInclusive && high === undefined) return phrase`${low.value} or later`
  const from =
    low && phrase`${[low.isInclusive ? "from" : by === "number" ? "above" : "after"]} ${shown(low)}`
  const below = by === "number" ? "below" : "before"
  const to =
    high &&
    phrase`${[high.isInclusive ? "up to" : from ? `${low?.isInclusive ? "to" : "and"} ${below}` : below]} ${shown(high)}`
  return phrase`${from ?? []}${from && to ? [" "] : []}${to ?? []}`
}

/** Midnight in UTC is shown as its date if that whole day is included, or none of it. */
function shown({ by, value, isUpper, isInclusive }: Bound): string {
  return by === "moment" && isUpper !== isInclusive ? value.replace(/T00:00:00(\.0+)?Z$/i, "") : value
}
