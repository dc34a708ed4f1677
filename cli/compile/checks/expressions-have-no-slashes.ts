import { isReadable } from "../grammar/operand.ts"
import { type ComparisonCheck, rewritingOperand } from "./comparison.ts"

/** An expression is written alone, without the slashes and flags that enclose it in JavaScript, Perl and others. */
export const expressionsHaveNoSlashes: ComparisonCheck = (comparison, report) => {
  const { source, attribute, value, text } = comparison
  const literal = parseLiteral(text)
  if (literal === undefined) return
  const meant = withoutSlashes(literal)
  const shown = meant.length > longestShown ? "the expression alone" : JSON.stringify(meant)
  const isCertain = literal.isAnchored || !aboutPaths.test(attribute)
  report.add({
    code: "expression-literal",
    message: `The slashes and what follows them are ordinary characters here. Write ${shown}; if you mean them, write the first as \`[/]\`.`,
    source,
    span: value,
    fix: isCertain && isReadable("expression", meant) ? rewritingOperand(comparison, meant) : undefined,
  })
}

const longestShown = 60

interface SlashedExpression {
  readonly body: string
  readonly flags: string
  /** `^` or `$` is next to a slash, so the slash cannot be meant: nothing is before `^` or after `$`. */
  readonly isAnchored: boolean
}

/** `undefined` if it is not a literal, or if it may be a path such as `/docs/`. Two flags change more: `x`, `y`. */
function parseLiteral(text: string): SlashedExpression | undefined {
  const [, body, flags] = /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuv]*)$/.exec(text) ?? []
  if (body === undefined || flags === undefined) return undefined
  const isAnchored = body.startsWith("^") || /(?:^|[^\\])(?:\\\\)*\$$/.test(body)
  return flags === "" && !isAnchored ? undefined : { body, flags, isAnchored }
}

/** RE2 has three of JavaScript's flags; the others do not affect whether an expression is found. */
function withoutSlashes({ body, flags }: SlashedExpression): string {
  const kept = [...new Set(flags)].filter((flag) => "ims".includes(flag)).join("")
  return `${kept === "" ? "" : `(?${kept})`}${body.replaceAll("\\/", "/")}`
}

/** `/docs/g` may be a part of the value of an attribute like this. */
const aboutPaths = /path|ur[il]|route|href|link|page|referr?er|location/i
