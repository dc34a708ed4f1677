import { comparisonsIn, parseCondition } from "../../../sdk/evaluation/condition.ts"
import { expressionSize, largestExpression, largestOfFlag } from "../../../sdk/evaluation/expression-size.ts"
import { isExpression } from "../../../sdk/evaluation/operators.ts"
import { spanOfCondition } from "../definition/condition.ts"
import type { DefinedCondition } from "../definition/definition.ts"
import type { Segments } from "../definition/segments.ts"
import { openCondition, operandText } from "../meaning/open-condition.ts"
import type { Check } from "./check.ts"

/**
 * Together, all expressions of a flag in an environment, including its segments', are small enough to be compiled and
 * run. One that is too large by itself is reported at its place.
 */
export const expressionsAreBounded: Check = ({ source, configurations, segments }, _project, report) => {
  for (const { environment, rules } of configurations) {
    const seen = new Set<string>()
    let sum = 0
    for (const { condition } of rules) {
      for (const expression of expressionsIn(condition, segments)) {
        const size = seen.has(expression) ? 0 : expressionSize(expression)
        seen.add(expression)
        if (size <= largestExpression) sum += size
      }
      if (sum <= largestOfFlag) continue
      report.add({
        code: "expression-too-large",
        message: `Up to here, the expressions for \`${environment}\` total ${sum} instructions; a flag may have at most ${largestOfFlag}. Shorten them, compare whole strings using \`in\` with a list, or use several flags.`,
        source,
        span: spanOfCondition(condition),
      })
      break
    }
  }
}

function expressionsIn(condition: DefinedCondition, segments: Segments): readonly string[] {
  switch (condition.kind) {
    case "comparison": {
      const { operator, value } = condition
      return operator && value && isExpression(operator.text) ? [operandText(value)] : []
    }
    case "flag":
    case "segment": {
      const open = openCondition(condition)
      const segment = "segment" in open ? segments.get(open.segment) : undefined
      return segment === undefined
        ? []
        : comparisonsIn(parseCondition(segment.condition))
            .filter(({ operator }) => isExpression(operator))
            .map(({ value }) => value)
    }
    default:
      return condition.conditions.flatMap((part) => expressionsIn(part, segments))
  }
}
