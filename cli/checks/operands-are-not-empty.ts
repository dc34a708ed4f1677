import { quoted } from "../diagnostics/suggest.ts"
import { attributeOf } from "../language/condition.ts"
import type { WrittenOperator } from "../language/operators.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** An empty operand makes most operators match everything or nothing; `exists` or no comparison is clearer. */
export const operandsAreNotEmpty: ComparisonCheck = (
  { source, condition, row, value, text, items },
  report,
) => {
  const everyone = matchesAll(row)
  const isList = row.takesList
  if (everyone === undefined || (isList ? items.length > 0 : text !== "")) return
  const why = isList ? "No value is in an empty list" : "Every string contains the empty string"
  const what = isList ? "add an item" : "write the string you meant"
  report.add({
    code: "empty-operand",
    message: everyone
      ? `${why}, so this matches everyone who has ${quoted(attributeOf(condition))}. Write \`exists\`, or ${what}.`
      : `${isList ? "An empty list matches no one" : `${why}, so this matches no one`}. Remove it, or ${what}.`,
    source,
    span: value,
  })
}

/** Whether an operator with an empty operand matches every string, or none. For `equals`, the empty string makes sense. */
function matchesAll({ question, negates, takesList }: WrittenOperator): boolean | undefined {
  const isNegation = negates !== undefined
  if (question.kind === "part" || question.kind === "expression") return !isNegation
  return takesList ? isNegation : undefined
}
