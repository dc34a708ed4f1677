import { foldCase } from "../../../sdk/evaluation/fold-case.ts"
import { parseTexts } from "../../../sdk/evaluation/text-lists.ts"
import type { Report, SourceFile, Span } from "../../diagnostics/diagnostic.ts"
import { didYouMean, list, orList, quoted } from "../../diagnostics/suggest.ts"
import { operators } from "../../language/operators.ts"
import type { DefinedComparison } from "../definition/definition.ts"
import { eachComparison } from "../definition/each-condition.ts"
import {
  fitsType,
  type KnownAttribute,
  type KnownAttributes,
  operatorsOfType,
} from "../grammar/known-attributes.ts"
import type { Node } from "../yaml/tree.ts"
import type { ConditionCheck } from "./check.ts"

/**
 * If the project file lists attributes, comparisons use only these, with operators that fit their types and
 * with the values that it lists.
 */
export const attributesAreKnown: ConditionCheck = (file, { attributes }, report) => {
  if (attributes === undefined) return
  eachComparison(file, (comparison) => checkAttribute(comparison, attributes, file.source, report))
}

/** Checks the attribute of one comparison. */
function checkAttribute(
  { attribute, operator, value, ofSplit, share, ignoresCase }: DefinedComparison,
  attributes: NonNullable<KnownAttributes>,
  source: SourceFile,
  report: Report,
): void {
  if (attribute === undefined) return
  const known = attributes.get(attribute.text)
  if (known === undefined) {
    const names = [...attributes.keys()]
    const message = `Unknown attribute ${quoted(attribute.text)}${didYouMean(attribute.text, names)}${orList(attribute.text, names, "attributes")}`
    report.add({ code: "unknown-attribute", message, source, span: attribute.span })
    return
  }
  if (operator === undefined || !operators.has(operator.text)) return
  if (known.type !== undefined && !fitsType(known, operator.text)) {
    const is = `${quoted(known.name)} is ${typeWords[known.type]}`
    const fit = operatorsOfType(known.type)
    const message = ofSplit
      ? `${is}, so users cannot be split by it. Split by text or a number, such as a customer id.`
      : share
        ? `${is}, so it cannot pick users. Choose text or a number, such as a customer id.`
        : `\`${operator.text}\` does not work on ${quoted(known.name)}, which is ${typeWords[known.type]}. Use one of ${list(fit, fit.length)}.`
    report.add({
      code: "unfit-operator",
      message,
      source,
      span: ofSplit || share ? attribute.span : operator.span,
    })
    return
  }
  if (operators.get(operator.text)?.question.kind === "texts" && value !== undefined)
    checkValues(known, value, ignoresCase, source, report)
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
  { name, values }: KnownAttribute,
  node: Node,
  ignoresCase: boolean | undefined,
  source: SourceFile,
  report: Report,
): void {
  if (values === undefined) return
  const same = ignoresCase ? foldCase : (text: string) => text
  for (const { text, span } of textsOf(node)) {
    if (values.some((value) => same(value) === same(text))) continue
    const message = `${quoted(name)} is never ${quoted(text)}${didYouMean(text, values)}`
    report.add({ code: "unknown-value", message, source, span })
  }
}

/** The operand's strings: one, or the items of a list in either notation. */
function textsOf(node: Node): readonly { readonly text: string; readonly span: Span }[] {
  if (node.kind === "sequence") return node.items.flatMap(textsOf)
  if (node.kind !== "scalar" || typeof node.value !== "string") return []
  const items = node.value.startsWith("[") ? parseTexts(node.value) : undefined
  return (items ?? [node.value]).map((text) => ({ text, span: node }))
}
