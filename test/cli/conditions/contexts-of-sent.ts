import { type ContextSet, contextsOf } from "../../../cli/conditions/context-set.ts"
import type { SetScope } from "../../../cli/conditions/predicate.ts"
import { never } from "../../../cli/language/condition.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { decode } from "../decode.ts"

/** The contexts that match a condition as it is sent. */
export function contextsOfSent(sent: Condition, scope: SetScope): ContextSet {
  return contextsOf(decode(sent) ?? never, scope)
}
