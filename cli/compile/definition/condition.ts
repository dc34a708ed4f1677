import type { GroupKind } from "../../../sdk/evaluation/condition.ts"
import { type MappingNode, type Member, memberOf, type Node, toValue } from "../yaml/tree.ts"
import type { DefinedCondition, DefinedFlagUse } from "./definition.ts"
import { writtenText } from "./definition.ts"
import type { Place } from "./place.ts"
import { toShare } from "./share.ts"

/**
 * Reads the condition in a mapping, even one with mistakes: in a rule, a segment or an item of a group. A comparison
 * next to a group, a segment or a share is ignored. A condition in a segment has no `place`.
 */
export function toCondition(node: MappingNode, place?: Place): DefinedCondition {
  let attribute: Node | undefined
  let operator: Node | undefined
  let value: Node | undefined
  let ignoresCase = false
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
      case "ignoreCase":
        ignoresCase = member.value.kind === "scalar" && member.value.value === true
        break
      case "all":
      case "any":
      case "none":
      case "segment":
      case "share":
      case "flag":
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
      ignoresCase,
    }
  if (other.name === "share") return toShare(node, other, place?.key)
  if (other.name === "flag") return toFlagUse(node, other, place)
  const { name, nameSpan, value: items } = other
  if (name === "segment") return { kind: name, node, nameSpan, name: writtenText(items) }
  const conditions = items.kind === "sequence" ? items.items.flatMap((item) => toPart(item, place)) : []
  return { kind: name as GroupKind, node, nameSpan, conditions }
}

function toPart(item: Node, place: Place | undefined): readonly DefinedCondition[] {
  return item.kind === "mapping" ? [toCondition(item, place)] : []
}

/** `flag:` as written, even with mistakes. */
function toFlagUse(node: MappingNode, { nameSpan, value }: Member, place: Place | undefined): DefinedFlagUse {
  const is = memberOf(node, "is")?.value
  const gives = is === undefined ? true : toValue(is)
  return { kind: "flag", node, nameSpan, key: writtenText(value), is, gives, place }
}

/** The place of a diagnostic about a whole condition. */
export function spanOfCondition(condition: DefinedCondition) {
  if (condition.kind === "flag") return condition.key?.span ?? condition.nameSpan
  return condition.kind === "comparison" ? (condition.operator?.span ?? condition.node) : condition.nameSpan
}
