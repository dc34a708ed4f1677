import { expressionSize, largestExpression, largestOfFlag } from "../../sdk/evaluation/expression-size.ts"
import { isExpression } from "../../sdk/evaluation/operators.ts"
import { type Condition, operandText, visit } from "../language/condition.ts"
import { spanOfCondition } from "../reading/condition.ts"
import type { Check } from "./check.ts"

/**
 * Together, all expressions of a flag in an environment, including its segments', are small enough to be compiled and
 * run. One that is too large by itself is reported at its place.
 */
export const expressionsAreBounded: Check = ({ source, configurations }, _project, report) => {
  for (const configuration of configurations.values()) {
    const { environment } = configuration
    const seen = new Set<string>()
    let sum = 0
    for (const { condition } of configuration.rules) {
      for (const expression of expressionsIn(condition)) {
        const size = seen.has(expression) ? 0 : expressionSize(expression)
        seen.add(expression)
        if (size <= largestExpression) sum += size
      }
      if (sum <= largestOfFlag) continue
      report.add({
        code: "expression-too-large",
        message: `Up to this point, the expressions for \`${environment}\` total ${sum} instructions; a flag may have at most ${largestOfFlag}. Shorten them, compare whole strings using \`in\` with a list, or use several flags.`,
        source,
        span: spanOfCondition(condition),
      })
      break
    }
  }
}

function expressionsIn(condition: Condition): readonly string[] {
  return [...visit(condition, "meanings")].flatMap((part) =>
    part.kind === "comparison" && isExpression(part.operator) ? [operandText(part)] : [],
  )
}
