import { attributeOf } from "./attribute.ts"
import type { CompiledCondition } from "./compile-condition.ts"
import type { Context } from "./evaluation.ts"

/** Whether a condition matches. `unknown`: one of the project's own operators decides (Kleene's third value). */
export type Truth = boolean | "unknown"

/** Whether a context matches a condition. */
export function matchCondition(condition: CompiledCondition, context: Context): Truth {
  switch (condition.kind) {
    case "comparison":
      return condition.matches(attributeOf(context, condition.attribute), condition.operand)
    case "all":
      return matchParts(condition.parts, context, false)
    case "any":
      return matchParts(condition.parts, context, true)
    case "none":
      return not(matchParts(condition.parts, context, true))
    case "unknown":
      return "unknown"
  }
}

/** Returns `decisive` if a part is that, else unknown if a part is, else the opposite. */
function matchParts(parts: readonly CompiledCondition[], context: Context, decisive: boolean): Truth {
  let truth: Truth = !decisive
  for (const condition of parts) {
    const part = matchCondition(condition, context)
    if (part === decisive) return decisive
    if (part === "unknown") truth = part
  }
  return truth
}

function not(truth: Truth): Truth {
  return truth === "unknown" ? truth : !truth
}
