import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Edit, Finding, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import type { Operand, OperandForm } from "../language/operators.ts"
import { inOrder } from "../language/related-operators.ts"
import type { Node, Text } from "../language/tree.ts"
import { operandText } from "./condition.ts"
import { isReadable } from "./grammar/operand.ts"
import { operandFault } from "./hints/operand-fault.ts"
import { operatorCalled } from "./hints/operators.ts"
import { renaming, rewriting, spanWithin } from "./hints/quote.ts"

/** What is wrong with an operand, which is a string or a list of strings; `undefined` if every evaluator can read it. */
export function unreadable(
  name: Text,
  form: OperandForm,
  value: Node,
  source: SourceFile,
): Finding | undefined {
  const text = operandText(value)
  const fault = operandFault(form, text)
  if (fault === undefined) return undefined
  const other = otherMeant(name, form.operand, text, source)
  const { code, part, meant } = fault
  const isScalar = value.kind === "scalar"
  const span: Span = isScalar && part !== undefined ? spanWithin(value, part, source) : value
  return {
    code,
    message: `The value of \`${name.text}\` ${fault.message}.${other === undefined ? "" : ` ${other.advice}`}`,
    source,
    span,
    fix: isScalar && meant !== undefined ? rewriting(value, meant, source) : other?.fix,
  }
}

interface OtherOperator {
  /** A sentence. */
  readonly advice: string
  readonly fix: Edit | undefined
}

function otherMeant(
  name: Text,
  operand: Operand,
  text: string,
  source: SourceFile,
): OtherOperator | undefined {
  if (operand === "number") return otherOperator(name, text, source) ?? signAdvice(operand, text)
  return operand === "version" ? (rangeAdvice(text) ?? signAdvice(operand, text)) : undefined
}

/** What a comparison sign in front of a value means, as in `>=4.12`; `undefined` if there is none. */
function signAdvice(operand: Operand, text: string): OtherOperator | undefined {
  const [, sign = "", value = ""] = /^\s*([<>]=?|={1,3}|!=)\s*(\S+)$/.exec(text) ?? []
  const meant = operatorCalled(sign, operand === "version" ? "version" : "number")
  if (meant === undefined || !isReadable(operand, value)) return undefined
  return { advice: `Write \`operator: ${meant}\` and \`value: ${JSON.stringify(value)}\`.`, fix: undefined }
}

/** What npm's `^4.12.0` and `~4.12` mean; `undefined` for anything else. */
function rangeAdvice(text: string): OtherOperator | undefined {
  const [, sign, value = "", major = "", minor] =
    /^\s*([~^])\s*v?((\d+)(?:\.(\d+))?(?:\.\d+)*)$/.exec(text) ?? []
  if (sign === undefined) return undefined
  const isByMinor = minor !== undefined && (sign === "~" || major === "0")
  const end = isByMinor ? `${major}.${Number(minor) + 1}` : `${Number(major) + 1}`
  const [from, to] = [operatorCalled(">=", "version"), operatorCalled("<", "version")]
  const advice = `Write two conditions under \`all\`: \`${from}\` with ${JSON.stringify(value)}, and \`${to}\` with ${JSON.stringify(end)}.`
  return { advice, fix: undefined }
}

/** The operator that compares dates or versions in the same way. */
function otherOperator(name: Text, text: string, source: SourceFile): OtherOperator | undefined {
  if (parseMoment(text) !== undefined) {
    const twin = inOrder(name.text, "moment") ?? ""
    return { advice: `This is a date: write \`${twin}\`.`, fix: renaming(name.span, twin, source) }
  }
  if (!isReadable("version", text) || !/^v|^\d+\.[\d*]/.test(text)) return undefined
  const semver = inOrder(name.text, "version") ?? ""
  return { advice: `This is a version: write \`${semver}\`.`, fix: renaming(name.span, semver, source) }
}
