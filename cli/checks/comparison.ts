import { parseTexts } from "../../sdk/evaluation/text-lists.ts"
import type { Edit, Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { type Comparison, operandText, type Share } from "../language/condition.ts"
import type { WrittenOperator } from "../language/operators.ts"
import type { Node, ScalarNode, SequenceNode } from "../language/tree.ts"
import { canRead } from "../reading/grammar/operand.ts"
import { rewriting } from "../reading/hints/quote.ts"

/** A comparison by one of Flagstone's own operators, with an operand that every evaluator can read. */
export interface ReadableComparison {
  readonly source: SourceFile
  readonly condition: Comparison | Share
  /** What is known of the operator. */
  readonly row: WrittenOperator
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
export type ComparisonCheck = (comparison: ReadableComparison, report: Report) => void

/** A comparison by an operator; `undefined` if it has mistakes, which other checks report. */
export function readComparison(
  condition: Comparison | Share,
  row: WrittenOperator,
  source: SourceFile,
): ReadableComparison | undefined {
  const value = condition.at?.value
  if (value === undefined) return undefined
  const { takesList } = row
  const text = operandText(condition)
  if (!canRead(row, text)) return undefined
  const common = { source, condition, row }
  if (value.kind === "sequence") {
    const items = value.items.filter(isText).map((node) => ({ text: node.value, node }))
    const isList = takesList && items.length === value.items.length
    return isList ? { ...common, value, text: "", items } : undefined
  }
  if (!isText(value)) return undefined
  const items = takesList ? (parseTexts(text) ?? []) : []
  return { ...common, value, text, items: items.map((item) => ({ text: item, node: undefined })) }
}

function isText(node: Node): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string"
}

/** The edit that replaces an operand; `undefined` if it is a YAML list, or if the edit is not certain. */
export function rewritingOperand({ value, source }: ReadableComparison, text: string): Edit | undefined {
  return value.kind === "scalar" ? rewriting(value, text, source) : undefined
}
