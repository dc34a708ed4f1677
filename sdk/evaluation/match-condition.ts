import { attributeOf } from "./attribute.ts"
import type { CompiledCondition } from "./compile-condition.ts"
import type { Context } from "./evaluation.ts"

/** Whether a condition matches. `unknown`: an operator of the project's own decides (Kleene's third value). */
export type Truth = boolean | "unknown"

/** Whether a context matches a condition. */
export function matchCondition(condition: CompiledCondition, context: Context): Truth {
  switch (condition.kind) {
    case "comparison":
      return condition.matches(attributeOf(context, condition.attribute), condition.operand)
    case "all":
      return matchAll(condition.parts, context)
    case "any":
      return matchAny(condition.parts, context)
    case "none":
      return not(matchAny(condition.parts, context))
    case "unknown":
      return "unknown"
  }
}

/** False where a part is false, else unknown where a part is. */
function matchAll(parts: readonly CompiledCondition[], context: Context): Truth {
  let truth: Truth = true
  for (const condition of parts) {
    const part = matchCondition(condition, context)
    if (part === false) return false
    if (part === "unknown") truth = part
  }
  return truth
}

/** True where a part is true, else unknown where a part is. */
function matchAny(parts: readonly CompiledCondition[], context: Context): Truth {
  let truth: Truth = false
  for (const condition of parts) {
    const part = matchCondition(condition, context)
    if (part === true) return true
    if (part === "unknown") truth = part
  }
  return truth
}

function not(truth: Truth): Truth {
  return truth === "unknown" ? truth : !truth
}
