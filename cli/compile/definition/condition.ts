import type { MappingNode, Member, Node } from "../yaml/tree.ts"
import type { DefinedComparison, DefinedCondition } from "./definition.ts"
import type { GroupKind } from "./operators.ts"
import { textOf } from "./text-of.ts"

/**
 * What can be made of the condition in a mapping, even one with mistakes: a rule is one, and so is each item of a group.
 * Where a comparison stands beside a group, it is left out.
 */
export function toCondition(node: MappingNode): DefinedCondition {
  let attribute: Node | undefined
  let operator: Node | undefined
  let value: Node | undefined
  let group: Member | undefined
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
        group ??= member
    }
  }
  if (group === undefined)
    return { kind: "comparison", node, attribute: textOf(attribute), operator: textOf(operator), value }
  const { name, nameSpan, value: items } = group
  const conditions = items.kind === "sequence" ? items.items.flatMap(toPart) : []
  return { kind: name as GroupKind, node, nameSpan, conditions }
}

function toPart(item: Node): readonly DefinedCondition[] {
  return item.kind === "mapping" ? [toCondition(item)] : []
}

/** Visits each comparison of a condition, with the mapping that its own lies in; `around` is that of the condition. */
export function eachComparison(
  condition: DefinedCondition,
  around: MappingNode,
  visit: (comparison: DefinedComparison, around: MappingNode) => void,
): void {
  if (condition.kind === "comparison") visit(condition, around)
  else for (const part of condition.conditions) eachComparison(part, condition.node, visit)
}

/** The condition at a path of positions in the lists of groups; `undefined` where there is none. */
export function conditionAt(
  condition: DefinedCondition,
  path: readonly number[],
): DefinedCondition | undefined {
  let at: DefinedCondition | undefined = condition
  for (const position of path) at = at?.kind === "comparison" ? undefined : at?.conditions[position]
  return at
}

/** Where a diagnostic about a condition as a whole points. */
export function spanOfCondition(condition: DefinedCondition) {
  return condition.kind === "comparison" ? (condition.operator?.span ?? condition.node) : condition.nameSpan
}
