import type { Edit } from "../diagnostics/diagnostic.ts"
import { findOperator } from "../language/operators.ts"
import type { Asked } from "../language/question.ts"
import { ignoringCaseAs } from "../reading/hints/ignoring-case-as.ts"
import { rewriting } from "../reading/hints/quote.ts"
import type { ComparisonCheck, ReadableComparison } from "./comparison.ts"

/** Plain text in any case, such as `(?i)^pro$`, is `equals` with `ignoreCase`, which lint and diff understand. */
export const expressionsSayMoreThanCase: ComparisonCheck = (comparison, report) => {
  const { source, row, value, text } = comparison
  const [, start, body = "", end] =
    /^\(\?i\)(\^?)((?:[\w @/:;,!#%&'"<>=~`-]|\\[^\w\s])+)(\$?)$/.exec(text) ?? []
  if (body === "") return
  const asked: Asked =
    start && end
      ? { kind: "texts", isList: false }
      : { kind: "part", where: start ? "start" : end ? "end" : "inside" }
  const meant = findOperator(asked, row.negates !== undefined)
  if (meant === undefined) return // not every question has a negation
  const plain = body.replace(/\\(.)/g, "$1")
  if (plain !== plain.trim()) return // `surrounding-blank` would report the blank
  report.add({
    code: "expression-for-case",
    message: `This expression matches plain text in any case. Write \`operator: ${meant}\`, \`value: ${JSON.stringify(plain)}\` and \`ignoreCase: true\`, which lint and diff understand.`,
    source,
    span: value,
    fix: rewritten(comparison, meant, plain),
  })
}

/** One edit that spans operator and value, in either order, and adds a member after the operator. */
function rewritten(
  { source, node, operator, value }: ReadableComparison,
  name: string,
  text: string,
): Edit | undefined {
  const edit = value.kind === "scalar" ? rewriting(value, text, source) : undefined
  const named = ignoringCaseAs(name, operator, node, source)
  if (edit === undefined || named === undefined) return undefined
  const [first, second] = named.start < edit.start ? [named, edit] : [edit, named]
  const rest = source.text.slice(first.end, second.start)
  return { start: first.start, end: second.end, text: first.text + rest + second.text }
}
