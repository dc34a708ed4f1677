import { semverTwin } from "../grammar/operators.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** What is called a version, and has a point, is compared number by number. Without a point both comparisons agree. */
export const versionsAreNoNumbers: ComparisonCheck = (
  { source, attribute, operator, value, text },
  report,
) => {
  if (!/version$/i.test(attribute) || !/^\d+\.\d+$/.test(text)) return
  report.add({
    code: "version-as-number",
    message: `As numbers, 4.9 is greater than 4.12, and 4.12.1 is not one. If this is a version, write \`${semverTwin(operator.text)}\`.`,
    source,
    span: value,
  })
}
