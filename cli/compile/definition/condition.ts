import type { GroupKind } from "../grammar/operators.ts"
import type { MappingNode, Member, Node } from "../yaml/tree.ts"
import type { DefinedCondition } from "./definition.ts"
import { writtenText } from "./definition.ts"

/**
 * What can be made of the condition in a mapping, even one with mistakes: a rule is one, and so is each item of a group.
 * Where a comparison stands beside a group or a segment, it is left out.
 */
export function toCondition(node: MappingNode): DefinedCondition {
  let attribute: Node | undefined
  let operator: Node | undefined
  let value: Node | undefined
  let other: Member | undefined
  for (const member of node.members) {
    switch (member.name) {
      case "attribute":
        attribute = member.value
        break
      case "operator":
        operator = member.value
        break
      case "value":
        value = member.value
        break
      case "all":
      case "any":
      case "none":
      case "segment":
        other ??= member
    }
  }
  if (other === undefined)
    return {
      kind: "comparison",
      node,
      attribute: writtenText(attribute),
      operator: writtenText(operator),
      value,
    }
  const { name, nameSpan, value: items } = other
  if (name === "segment") return { kind: name, node, nameSpan, name: writtenText(items) }
  const conditions = items.kind === "sequence" ? items.items.flatMap(toPart) : []
  return { kind: name as GroupKind, node, nameSpan, conditions }
}

function toPart(item: Node): readonly DefinedCondition[] {
  return item.kind === "mapping" ? [toCondition(item)] : []
}

/** Where a diagnostic about a condition as a whole points. */
export function spanOfCondition(condition: DefinedCondition) {
  return condition.kind === "comparison" ? (condition.operator?.span ?? condition.node) : condition.nameSpan
}
