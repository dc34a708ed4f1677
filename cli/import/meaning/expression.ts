import { createExpressions } from "../../../sdk/evaluation/expression.ts"
import { loadEngine } from "../../compile/grammar/expression-engine.ts"

/** An expression of RE2, found anywhere in a text; `undefined` where RE2 cannot read it. */
export const expression = createExpressions(loadEngine)
