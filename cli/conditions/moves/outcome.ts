import type { Json } from "../../../sdk/contract/snapshot.ts"
import type { Condition } from "../../language/condition.ts"
import type { Rule } from "../../language/flag.ts"
import { type ContextSet, complement, intersection } from "../context-set.ts"
import type { SetScope } from "../predicate.ts"
import type { ValuedContexts } from "../value-changes.ts"

/** What a flag gives: a rule's value, for users whom no earlier rule matches, or finally the default. */
export interface Outcome extends ValuedContexts {
  readonly gives: Json
  /** `undefined`: the flag's default. */
  readonly rule: Rule | undefined
  /** The rule's condition, or that of everyone. */
  readonly condition: Condition
  /** Counts from 0; the position of the rule, or the number of rules before the default. */
  readonly at: number
  /** A string that is equal for outcomes whose contexts are written the same way. */
  readonly name: string
}

/** What a flag gives in one environment on both sides. */
export interface Sides {
  readonly before: readonly Outcome[]
  readonly after: readonly Outcome[]
  /** Whether the flag is new: then its one outcome before means "no value". */
  readonly isNew: boolean
  readonly scope: SetScope
}

/** Whether it is a rule's, and not the default. */
export function hasRule({ rule }: Outcome): boolean {
  return rule !== undefined
}

/** The contexts for which an outcome decides: those that match no earlier one. */
export function decidedBy({ contexts, at }: Outcome, outcomes: readonly Outcome[]): ContextSet {
  return intersection(contexts, ...outcomes.slice(0, at).map((earlier) => complement(earlier.contexts)))
}
