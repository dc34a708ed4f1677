import { parseTexts } from "../../sdk/evaluation/text-lists.ts"
import { operatorIn } from "../language/condition.ts"
import { listTwin } from "../language/related-operators.ts"
import { renaming } from "../reading/hints/quote.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** `equals` compares one string, so a list that is written as a string is meant for `in`. */
export const listsAreComparedByIn: ComparisonCheck = (
  { source, condition, operator, value, text },
  report,
) => {
  const meant = listTwin(operatorIn(condition))
  if (meant === undefined || !isList(text)) return
  report.add({
    code: "list-as-text",
    message: `\`${operatorIn(condition)}\` compares with this as one string, not with its items. Write \`${meant}\`.`,
    source,
    span: value,
    fix: parseTexts(text) === undefined ? undefined : renaming(operator, meant, source),
  })
}

function isList(text: string): boolean {
  if (!text.trimStart().startsWith("[")) return false
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.length > 0
  } catch {
    return false
  }
}
