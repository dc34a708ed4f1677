import { parseTexts } from "../../../sdk/evaluation/text-lists.ts"
import type { Edit, Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { WrittenOperator } from "../../language/operators.ts"
import type { DefinedComparison, Text } from "../definition/definition.ts"
import { isReadable } from "../grammar/operand.ts"
import { rewriting } from "../hints/quote.ts"
import type { MappingNode, Node, ScalarNode, SequenceNode } from "../yaml/tree.ts"

/** A comparison by one of Flagstone's own operators, with an operand that every evaluator can read. */
export interface Comparison {
  readonly source: SourceFile
  readonly attribute: string
  readonly operator: Text
  /** What is known of the operator. */
  readonly row: WrittenOperator
  readonly ignoresCase: boolean
  /** The mapping that it is written in. */
  readonly node: MappingNode
  readonly value: ScalarNode | SequenceNode
  /** The operand as written; `""` if it is a YAML list. */
  readonly text: string
  /** The items of a list in either notation; empty if the operand is not a list. */
  readonly items: readonly ListItem[]
}

/** An item of a list; `node` is `undefined` if the list is a JSON array in a string. */
export interface ListItem {
  readonly text: string
  readonly node: ScalarNode | undefined
}

/** Reports what the author of a single comparison probably did not mean. */
export type ComparisonCheck = (comparison: Comparison, report: Report) => void

/** A comparison by an operator; `undefined` if it has mistakes, which other checks report. */
export function readComparison(
  { attribute, operator, value, node, ignoresCase = false }: DefinedComparison,
  row: WrittenOperator,
  source: SourceFile,
): Comparison | undefined {
  if (operator === undefined || value === undefined) return undefined
  const { operand } = row
  const common = { source, attribute: attribute?.text ?? "", operator, row, ignoresCase, node }
  if (value.kind === "sequence") {
    const items = value.items.filter(isText).map((node) => ({ text: node.value, node }))
    const isList = operand === "list" && items.length === value.items.length
    return isList ? { ...common, value, text: "", items } : undefined
  }
  if (!isText(value) || !isReadable(operand, value.value)) return undefined
  const items = operand === "list" ? (parseTexts(value.value) ?? []) : []
  return { ...common, value, text: value.value, items: items.map((text) => ({ text, node: undefined })) }
}

function isText(node: Node): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string"
}

/** The edit that replaces an operand; `undefined` if it is a YAML list, or if the edit is not certain. */
export function rewritingOperand({ value, source }: Comparison, text: string): Edit | undefined {
  return value.kind === "scalar" ? rewriting(value, text, source) : undefined
}
