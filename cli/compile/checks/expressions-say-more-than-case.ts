import type { Edit } from "../../diagnostics/diagnostic.ts"
import { ignoringCaseAs } from "../hints/ignoring-case-as.ts"
import { rewriting } from "../hints/quote.ts"
import type { Comparison, ComparisonCheck } from "./comparison.ts"

/** Plain text in any case, such as `(?i)^pro$`, is `equals` with `ignoreCase`, which lint and diff understand. */
export const expressionsSayMoreThanCase: ComparisonCheck = (comparison, report) => {
  const { source, operator, value, text } = comparison
  const [, start, body = "", end] =
    /^\(\?i\)(\^?)((?:[\w @/:;,!#%&'"<>=~`-]|\\[^\w\s])+)(\$?)$/.exec(text) ?? []
  if (body === "") return
  const positive = start ? (end ? "equals" : "startsWith") : end ? "endsWith" : "contains"
  const isNegation = operator.text === "notMatches"
  if (isNegation && positive.endsWith("With")) return // there is no negation of these
  const meant = isNegation ? `not${positive.charAt(0).toUpperCase()}${positive.slice(1)}` : positive
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
  { source, node, operator, value }: Comparison,
  name: string,
  text: string,
): Edit | undefined {
  const edit = value.kind === "scalar" ? rewriting(value, text, source) : undefined
  const named = ignoringCaseAs(name, operator.span, node, source)
  if (edit === undefined || named === undefined) return undefined
  const [first, second] = named.start < edit.start ? [named, edit] : [edit, named]
  const rest = source.text.slice(first.end, second.start)
  return { start: first.start, end: second.end, text: first.text + rest + second.text }
}
