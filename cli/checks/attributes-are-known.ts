import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { parseTexts } from "../../sdk/evaluation/text-lists.ts"
import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, orList, quoted } from "../diagnostics/suggest.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { attributeOf, operatorIn } from "../language/condition.ts"
import {
  fitsType,
  type KnownAttribute,
  type KnownAttributes,
  operatorsOfType,
} from "../language/known-attributes.ts"
import { type AttributeType, operators } from "../language/operators.ts"
import type { Order } from "../language/question.ts"
import { inOrder } from "../language/related-operators.ts"
import type { Node } from "../language/tree.ts"
import { type AttributeUse, attributeUses, type ConditionCheck } from "../reading/conditions-in-file.ts"
import { formMissed } from "../reading/grammar/attribute-form.ts"
import { renaming } from "../reading/hints/quote.ts"

/**
 * Comparisons of an attribute that is known use operators that fit its type and values that it can have. If the project
 * file lists attributes, comparisons use only these.
 */
export const attributesAreKnown: ConditionCheck = (file, { attributes, knownAttributes }, report) => {
  if (knownAttributes === undefined) return
  const uses = [...attributeUses(file)]
  for (const use of uses.filter(({ condition }) => attributes || knownAttributes.has(attributeOf(condition))))
    checkAttribute(use, knownAttributes, file.source, report)
}

/** Checks the attribute of one condition. */
function checkAttribute(
  { condition, isArm }: AttributeUse,
  attributes: NonNullable<KnownAttributes>,
  source: SourceFile,
  report: Report,
): void {
  const { at } = condition
  const [attribute, operator] = [attributeOf(condition), operatorIn(condition)]
  if (at?.attribute === undefined || attribute === "") return // an empty name is reported by itself
  const known = attributes.get(attribute)
  if (known === undefined) {
    const names = [...attributes.keys()]
    const message = `Unknown attribute ${quoted(attribute)}${didYouMean(attribute, names)}${orList(attribute, names, "attributes", declarationOf(attribute, operator))}`
    report.add({ code: "unknown-attribute", message, source, span: at.attribute })
    return
  }
  const { question, takesAttribute = true } = operators.get(operator) ?? {}
  if (question === undefined || !takesAttribute) return
  if (known.type !== undefined && !fitsType(known, operator)) {
    const is = `${quoted(known.name)} is ${typeWords[known.type]}`
    const unfit = unfitOperator(known, known.type, operator)
    const message = isArm
      ? `${is}, so users cannot be split by it. Split by text or a number, such as a customer id.`
      : at.name
        ? `${is}, so it cannot pick users. Choose text or a number, such as a customer id.`
        : unfit.message
    report.add({
      code: "unfit-operator",
      message,
      source,
      span: at.name ? at.attribute : (at.operator ?? at.attribute),
      fix: at.operator && unfit.meant && renaming(at.operator, unfit.meant, source),
    })
    return
  }
  if (question.kind === "texts" && at.value !== undefined)
    checkValues(known, at.value, "ignoreCase" in condition, source, report)
}

/** The line that declares an attribute with the type that an operator compares. */
function declarationOf(attribute: string, operator: string): string {
  const { question, types: [type] = [] } = operators.get(operator) ?? {}
  const about = type === undefined || question?.kind === "presence" ? {} : { type }
  return `${yamlLine(attribute)}: ${yamlLine(about)}`
}

/** The message about an operator that does not work on an attribute's type, and the operator that does the same on it. */
function unfitOperator({ name }: KnownAttribute, type: AttributeType, operator: string) {
  const fit = operatorsOfType(type)
  const meant = isOrder(type) ? inOrder(operator, type) : undefined
  const advice = meant === undefined ? `Use one of ${list(fit, fit.length)}.` : `Write ${quoted(meant)}.`
  const message = `\`${operator}\` does not work on ${quoted(name)}, which is ${typeWords[type]}. ${advice}`
  return { message, meant }
}

function isOrder(type: AttributeType): type is Order {
  return type === "number" || type === "version" || type === "moment"
}

const typeWords: Readonly<Record<NonNullable<KnownAttribute["type"]>, string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  version: "a version",
  moment: "a moment",
  list: "a list",
}

function checkValues(
  { name, type, values }: KnownAttribute,
  node: Node,
  ignoresCase: boolean,
  source: SourceFile,
  report: Report,
): void {
  const same = ignoresCase ? foldCase : (text: string) => text
  const add = (message: string, span: Span) => report.add({ code: "unknown-value", message, source, span })
  for (const { text, span } of textsOf(node)) {
    const form = type && formMissed(type, same(text))
    if (values?.some((value) => same(value) === same(text)) === false)
      add(`${quoted(text)} is not a value of ${quoted(name)}${didYouMean(text, values)}`, span)
    else if (values === undefined && form !== undefined)
      add(`A value of ${quoted(name)} ${form}, because its type is \`${type}\`.`, span)
  }
}

/** The operand's strings: one, or the items of a list in either notation. */
function textsOf(node: Node): readonly { readonly text: string; readonly span: Span }[] {
  if (node.kind === "sequence") return node.items.flatMap(textsOf)
  if (node.kind !== "scalar" || typeof node.value !== "string") return []
  const items = node.value.startsWith("[") ? parseTexts(node.value) : undefined
  return (items ?? [node.value]).map((text) => ({ text, span: node }))
}
