import { createExpressions } from "../../../sdk/evaluation/expression.ts"
import { loadEngine } from "../../language/expression-engine.ts"

/** An RE2 expression, matched anywhere in a string; `undefined` if RE2 cannot parse it. */
export const expression = createExpressions(loadEngine)
