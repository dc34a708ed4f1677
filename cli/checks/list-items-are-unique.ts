import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type ComparisonCheck, type ListItem, rewritingOperand } from "./comparison.ts"
import { dropping } from "./drop-item.ts"

/** An item that appears twice in a list is a slip: the second has no effect. */
export const listItemsAreUnique: ComparisonCheck = (comparison, report) => {
  const { source, condition, value, items } = comparison
  const firsts = new Map<string, ListItem>()
  const repeated: [ListItem, ListItem][] = []
  for (const item of items) {
    const text = "ignoreCase" in condition ? foldCase(item.text) : item.text
    const first = firsts.get(text)
    if (first === undefined) firsts.set(text, item)
    else repeated.push([item, first])
  }
  for (const [{ text, node }, first] of repeated) {
    report.add({
      code: "duplicate-item",
      message: `${quoted(text)} appears twice in this list. Remove one of them.`,
      source,
      span: node ?? value,
      fix:
        node === undefined
          ? rewritingOperand(comparison, JSON.stringify([...firsts.values()].map((one) => one.text)))
          : dropping(node, source),
      related:
        first.node === undefined
          ? []
          : [{ message: "The first is here.", location: { source, span: first.node } }],
    })
  }
}
