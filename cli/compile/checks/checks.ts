import { expiriesAreDates } from "./expiries-are-dates.ts"
import type { Check, ProjectCheck } from "./flag-check.ts"
import { idsAreUnique } from "./ids-are-unique.ts"
import { keysAreUnique } from "./keys-are-unique.ts"
import { keysMatchPattern } from "./keys-match-pattern.ts"
import { numbersAreExact } from "./numbers-are-exact.ts"
import { operandsFitOperators } from "./operands-fit-operators.ts"
import { ruleIdsAreUnique } from "./rule-ids-are-unique.ts"
import { rulesAreReachable } from "./rules-are-reachable.ts"
import { rulesAreUnique } from "./rules-are-unique.ts"
import { valuesHaveTheType } from "./values-have-the-type.ts"

/** What the shape of a file cannot say. Each check stands alone; the order is that of a file, from top to bottom. */
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

/** What no file can say alone. */
export const projectChecks: readonly ProjectCheck[] = [keysAreUnique, idsAreUnique]
