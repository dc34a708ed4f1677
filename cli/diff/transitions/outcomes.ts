import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Outcome } from "../../conditions/moves/outcome.ts"
import { valueChanges } from "../../conditions/value-changes.ts"
import { defaultOutcome, outcomesOf } from "../../flag/outcomes.ts"
import type { Flag } from "../../language/flag.ts"

/** What a new flag gave before: no value. */
export const noOutcome: Outcome = { ...defaultOutcome(null), value: "" }

/** Whether a user gets, or may get, a value other than the flag's default. */
export function isOn(flag: Flag, environment: string, compileExpression: CompileExpression): boolean {
  const outcomes = outcomesOf(flag, environment, compileExpression)
  const { changes, possible, isCutShort } = valueChanges([defaultOutcome(flag.defaultValue)], outcomes)
  return changes.length > 0 || possible.length > 0 || isCutShort
}
