import { conditionsHaveOneForm } from "./conditions-have-one-form.ts"
import type { ConditionCheck } from "./conditions-in-file.ts"
import { operandsFitOperators } from "./operands-fit-operators.ts"
import { rampsGoUp } from "./ramps-go-up.ts"
import { sharesAreRanges } from "./shares-are-ranges.ts"

/** Reports how the conditions of what was read from a file differ from what a condition may be, as far as a schema cannot say it. */
export const checkConditionForm: ConditionCheck = (file, project, report) => {
  for (const check of [conditionsHaveOneForm, operandsFitOperators, sharesAreRanges, rampsGoUp])
    check(file, project, report)
}
