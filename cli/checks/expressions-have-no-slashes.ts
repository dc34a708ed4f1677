import { attributeOf } from "../language/condition.ts"
import { isReadable } from "../reading/grammar/operand.ts"
import { type ComparisonCheck, rewritingOperand } from "./comparison.ts"

/** An expression is written without the slashes and flags that surround it in JavaScript, Perl and other languages. */
export const expressionsHaveNoSlashes: ComparisonCheck = (comparison, report) => {
  const { source, condition, value, text } = comparison
  const literal = parseLiteral(text)
  if (literal === undefined) return
  const meant = withoutSlashes(literal)
  const shown = meant.length > longestShown ? "the expression alone" : JSON.stringify(meant)
  const isCertain = literal.isAnchored || !aboutPaths.test(attributeOf(condition))
  report.add({
    code: "expression-literal",
    message: `Slashes around an expression, and letters after them, are ordinary characters here. Write ${shown}; if you mean them literally, write the first slash as \`[/]\`.`,
    source,
    span: value,
    fix: isCertain && isReadable("expression", meant) ? rewritingOperand(comparison, meant) : undefined,
  })
}

const longestShown = 60

interface SlashedExpression {
  readonly body: string
  readonly flags: string
  /** `^` or `$` is next to a slash, so the slash is not literal: nothing comes before `^` or after `$`. */
  readonly isAnchored: boolean
}

/** `undefined` if it is not a literal, or if it may be a path such as `/docs/`. The flags `x` and `y` would change more. */
function parseLiteral(text: string): SlashedExpression | undefined {
  const [, body, flags] = /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuv]*)$/.exec(text) ?? []
  if (body === undefined || flags === undefined) return undefined
  const isAnchored = body.startsWith("^") || /(?:^|[^\\])(?:\\\\)*\$$/.test(body)
  return flags === "" && !isAnchored ? undefined : { body, flags, isAnchored }
}

/** RE2 has three of JavaScript's flags; the others do not affect whether an expression matches. */
function withoutSlashes({ body, flags }: SlashedExpression): string {
  const kept = [...new Set(flags)].filter((flag) => "ims".includes(flag)).join("")
  return `${kept === "" ? "" : `(?${kept})`}${body.replaceAll("\\/", "/")}`
}

/** Attributes whose values may contain `/docs/g`. */
const aboutPaths = /path|ur[il]|route|href|link|page|referr?er|location/i
