import type { Finding, Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { list, quoted } from "../diagnostics/suggest.ts"
import { attributeOf, operatorIn } from "../language/condition.ts"
import { fitsType } from "../language/known-attributes.ts"
import { listOperators, operators, type WrittenOperator } from "../language/operators.ts"
import { listTwin } from "../language/related-operators.ts"
import { type MappingNode, memberOf, type Node, type SequenceNode, type Text } from "../language/tree.ts"
import { fileIn, operandText } from "./condition.ts"
import { attributeUses, type ConditionCheck } from "./conditions-in-file.ts"
import { ruleMembers } from "./grammar/schema.ts"
import { unixMoment } from "./hints/operand-fault.ts"
import { describe, misreadingOf, quotingOperand, renaming } from "./hints/quote.ts"
import { together } from "./hints/together.ts"
import { isReplaced, isStrayed } from "./hints/unknown-field.ts"
import { unreadable } from "./operand-is-readable.ts"

/** Each comparison has the attribute and the value that its operator needs, and only those; its value is text of the right form. */
export const operandsFitOperators: ConditionCheck = (file, project, report) => {
  const { source } = file
  for (const { condition, around } of attributeUses(file)) {
    const { node, operator: span, value } = condition.at ?? {}
    if (node === undefined || span === undefined) continue
    const name = { text: operatorIn(condition), span }
    const operator = operators.get(name.text)
    const known = project.knownAttributes?.get(attributeOf(condition))
    const fits = known === undefined || fitsType(known, name.text)
    if (operator !== undefined) checkComparison(node, around, { ...operator, name, fits }, source, report)
    else if (project.operators.includes(name.text)) checkOwn(value, source, report)
  }
}

/** An operator as it is used. */
interface UsedOperator extends WrittenOperator {
  readonly name: Text
  /** Whether it works on the attribute's declared type; if not, another operator is meant, which says what its value is. */
  readonly fits: boolean
}

function checkComparison(
  node: MappingNode,
  around: MappingNode,
  operator: UsedOperator,
  source: SourceFile,
  report: Report,
): void {
  const { name } = operator
  const add = (code: "missing-field" | "unknown-field", message: string, span: Span) =>
    report.add({ code, message, source, span })
  // A misspelt or misplaced member is not missing.
  const needs = (member: "attribute" | "value") => {
    if (isReplaced(member, { mapping: node, known: ruleMembers })) return
    if (isStrayed(member, around)) return
    add("missing-field", `\`${name.text}\` needs \`${member}\`.`, name.span)
  }
  const ignoreCase = memberOf(node, "ignoreCase")
  if (ignoreCase !== undefined && !operator.canIgnoreCase) {
    const advice =
      operator.question.kind === "expression"
        ? "Remove it, and write `(?i)` at the start of the expression."
        : "Remove it."
    add(
      "unknown-field",
      `\`ignoreCase\` is for operators that compare strings; \`${name.text}\` does not. ${advice}`,
      ignoreCase.nameSpan,
    )
  }
  const attribute = memberOf(node, "attribute")
  const value = memberOf(node, "value")
  if (operator.takesAttribute && attribute === undefined) needs("attribute")
  if (!operator.takesAttribute && attribute !== undefined) {
    add("unknown-field", `\`${name.text}\` takes no attribute. Remove \`attribute\`.`, attribute.nameSpan)
  }
  if (operator.operand === "nothing") {
    if (value !== undefined)
      add("unknown-field", `\`${name.text}\` takes no value. Remove \`value\`.`, value.nameSpan)
    return
  }
  if (value === undefined) {
    needs("value")
    return
  }
  if (value.value.kind === "mapping" && memberOf(value.value, "file") !== undefined) {
    checkFile(name, operator, value.value, source, report)
    return
  }
  if (value.value.kind === "sequence" && !operator.takesList) {
    report.add(insteadOfList(name, operator, value.value, source))
    return
  }
  const isUnixTime = operator.operand === "date" && unixMoment(operandText(value.value)) !== undefined
  const faults = isUnixTime ? [] : faultsIn(value.value, source, operator.takesList === true)
  for (const finding of faults) report.add(finding)
  if (faults.length > 0) return
  if (!operator.fits) return
  const { operand } = operator
  const findings =
    value.value.kind === "sequence"
      ? value.value.items.map((item) => unreadable(name, { operand }, item, source))
      : [unreadable(name, operator, value.value, source)]
  for (const finding of findings) if (finding !== undefined) report.add(finding)
}

/** `value: { file: … }`, whose file another check looks for. */
function checkFile(
  name: Text,
  operator: WrittenOperator,
  value: MappingNode,
  source: SourceFile,
  report: Report,
): void {
  if (!operator.takesList) {
    const twin = listTwin(name.text)
    const advice = twin === undefined ? `${list(listOperators)} do.` : `Write \`operator: ${twin}\`.`
    const fix = twin === undefined ? undefined : renaming(name.span, twin, source)
    const message = `\`${name.text}\` cannot use the lines of a file. ${advice}`
    report.add({ code: "wrong-type", message, source, span: value, fix })
    return
  }
  for (const member of value.members) {
    if (member.name !== "file") {
      const message = `Unknown field ${quoted(member.name)}. A list in a file has only \`file\`.`
      report.add({ code: "unknown-field", message, source, span: member.nameSpan })
    } else if (fileIn(value) === undefined) {
      const message = "`file` must be the path of a list, such as `customers.txt`."
      report.add({ code: "wrong-type", message, source, span: member.value })
    }
  }
}

/** The message about a list after an operator that takes one string. */
function insteadOfList(
  name: Text,
  operator: WrittenOperator,
  node: SequenceNode,
  source: SourceFile,
): Finding {
  const twin = listTwin(name.text)
  const advice =
    twin === undefined
      ? `Write a condition for each item in a list under \`${excludes(operator) ? "all" : "any"}\`.`
      : `For a list, write \`operator: ${twin}\`.`
  return {
    code: "wrong-type",
    message: `\`value\` must be text, not a list. ${advice}`,
    source,
    span: node,
    fix: twin === undefined ? undefined : renaming(name.span, twin, source),
  }
}

/** Whether an operator matches what its operand is not, so that several operands mean none of them. */
function excludes({ question, negates }: WrittenOperator): boolean {
  return negates !== undefined || (question.kind === "version" && question.isOther)
}

/** Only the project's SDKs know what the project's own operator needs; its value is sent as text like any other. */
function checkOwn(value: Node | undefined, source: SourceFile, report: Report): void {
  if (value !== undefined) for (const finding of faultsIn(value, source, true)) report.add(finding)
}

/** Why a value is not text, or its items are not. */
function faultsIn(node: Node, source: SourceFile, listAllowed: boolean): readonly Finding[] {
  if (node.kind === "sequence" && listAllowed) {
    const faults = node.items.flatMap((item) => faultsIn(item, source, false))
    const isMisread = ({ code }: Finding) => code === "unquoted-value"
    return [...together(faults.filter(isMisread), source), ...faults.filter((fault) => !isMisread(fault))]
  }
  const finding = { source, span: node }
  if (node.kind !== "scalar" || node.value === null) {
    const message = `\`value\` must be text${listAllowed ? " or a list of strings" : ""}, not ${describe(node)}.`
    return [{ ...finding, code: "wrong-type", message }]
  }
  const misreading = misreadingOf(node, source)
  if (misreading === undefined) return []
  const { advice, fix } = quotingOperand(node, source)
  const message = `A rule's value must be text, but ${misreading}. ${advice}`
  return [{ ...finding, code: "unquoted-value", message, fix }]
}
