import { expiriesAreDates } from "./rules/expiries-are-dates.ts"
import { idsAreUnique } from "./rules/ids-are-unique.ts"
import { keysAreUnique } from "./rules/keys-are-unique.ts"
import { keysMatchPattern } from "./rules/keys-match-pattern.ts"
import type { Law } from "./rules/law.ts"
import { numbersAreExact } from "./rules/numbers-are-exact.ts"
import { operandsFitOperators } from "./rules/operands-fit-operators.ts"
import { rulesAreReachable } from "./rules/rules-are-reachable.ts"
import { rulesAreUnique } from "./rules/rules-are-unique.ts"
import { valuesHaveTheType } from "./rules/values-have-the-type.ts"

/** What the shape of a file cannot say. Each law stands alone; the order is that of a file, from top to bottom. */
export const rules: readonly Law[] = [
  keysMatchPattern,
  keysAreUnique,
  idsAreUnique,
  valuesHaveTheType,
  numbersAreExact,
  expiriesAreDates,
  operandsFitOperators,
  rulesAreReachable,
  rulesAreUnique,
]
