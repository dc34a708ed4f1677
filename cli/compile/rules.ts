import { expiriesAreDates } from "./rules/expiries-are-dates.ts"
import { idsAreUnique } from "./rules/ids-are-unique.ts"
import { keysAreUnique } from "./rules/keys-are-unique.ts"
import { keysMatchPattern } from "./rules/keys-match-pattern.ts"
import type { CommonLaw, Law } from "./rules/law.ts"
import { numbersAreExact } from "./rules/numbers-are-exact.ts"
import { operandsFitOperators } from "./rules/operands-fit-operators.ts"
import { ruleIdsAreUnique } from "./rules/rule-ids-are-unique.ts"
import { rulesAreReachable } from "./rules/rules-are-reachable.ts"
import { rulesAreUnique } from "./rules/rules-are-unique.ts"
import { valuesHaveTheType } from "./rules/values-have-the-type.ts"

/** What the shape of a file cannot say. Each law stands alone; the order is that of a file, from top to bottom. */
export const rules: readonly Law[] = [
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
export const commonRules: readonly CommonLaw[] = [keysAreUnique, idsAreUnique]
