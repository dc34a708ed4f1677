import type { Check, ProjectCheck } from "./check.ts"
import { expiriesAreDates } from "./expiries-are-dates.ts"
import { idsAreUnique } from "./ids-are-unique.ts"
import { keysAreUnique } from "./keys-are-unique.ts"
import { keysMatchPattern } from "./keys-match-pattern.ts"
import { numbersAreExact } from "./numbers-are-exact.ts"
import { operandsFitOperators } from "./operands-fit-operators.ts"
import { ruleIdsAreUnique } from "./rule-ids-are-unique.ts"
import { rulesAreReachable } from "./rules-are-reachable.ts"
import { rulesAreUnique } from "./rules-are-unique.ts"
import { valuesHaveTheType } from "./values-have-the-type.ts"

/** What a schema cannot express. Each check works alone; the order is that of a file, from top to bottom. */
export const flagChecks: readonly Check[] = [
  keysMatchPattern,
  valuesHaveTheType,
  numbersAreExact,
  expiriesAreDates,
  operandsFitOperators,
  rulesAreReachable,
  rulesAreUnique,
  ruleIdsAreUnique,
]

/** What one file alone cannot show. */
export const projectChecks: readonly ProjectCheck[] = [keysAreUnique, idsAreUnique]
