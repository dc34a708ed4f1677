import { operatorIn } from "../language/condition.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** Nothing renders flag files, so a variable of a shell, a template or a pipeline compares as it stands. */
export const textsAreFilledIn: ComparisonCheck = ({ source, condition, value, text, items }, report) => {
  const texts = items.length === 0 ? [{ text, node: value }] : items
  for (const { text, node = value } of texts)
    if (/^(?:\$[A-Z][A-Z0-9_]*|\$\{[^{}]+\}|\$?\{\{.*\}\}|%[A-Z][A-Z0-9_]*%)$/.test(text))
      report.add({
        code: "literal-variable",
        message: `\`${operatorIn(condition)}\` compares \`${text}\` as it stands, because nothing replaces it. Write the value itself.`,
        source,
        span: node,
      })
}
