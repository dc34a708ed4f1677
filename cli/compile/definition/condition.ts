import type { MappingNode, Member, Node } from "../yaml/tree.ts"
import type {
  DefinedComparison,
  DefinedCondition,
  DefinedSegment,
  DefinedUse,
  Definition,
} from "./definition.ts"
import type { GroupKind } from "./operators.ts"
import { textOf } from "./text-of.ts"

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
    return { kind: "comparison", node, attribute: textOf(attribute), operator: textOf(operator), value }
  const { name, nameSpan, value: items } = other
  if (name === "segment") return { kind: name, node, nameSpan, name: textOf(items) }
  const conditions = items.kind === "sequence" ? items.items.flatMap(toPart) : []
  return { kind: name as GroupKind, node, nameSpan, conditions }
}

function toPart(item: Node): readonly DefinedCondition[] {
  return item.kind === "mapping" ? [toCondition(item)] : []
}

/** Visits the conditions that stand in a flag file or a segment file by themselves, each with the mapping around it. */
export function eachCondition(
  file: Definition | DefinedSegment,
  visit: (condition: DefinedCondition, around: MappingNode) => void,
): void {
  if ("condition" in file) visit(file.condition, file.root)
  else
    for (const { node, rules } of file.configurations)
      for (const { condition } of rules) visit(condition, node)
}

/**
 * Visits each comparison that stands in a file, with the mapping that its own lies in. Those of the segments that the
 * file uses stand in other files.
 */
export function eachComparison(
  file: Definition | DefinedSegment,
  visit: (comparison: DefinedComparison, around: MappingNode) => void,
): void {
  eachCondition(file, (condition, around) => visitComparisons(condition, around, visit))
}

function visitComparisons(
  condition: DefinedCondition,
  around: MappingNode,
  visit: (comparison: DefinedComparison, around: MappingNode) => void,
): void {
  if (condition.kind === "comparison") visit(condition, around)
  else if (condition.kind !== "segment")
    for (const part of condition.conditions) visitComparisons(part, condition.node, visit)
}

/** Visits each `segment:` of a condition. */
export function eachUse(condition: DefinedCondition, visit: (use: DefinedUse) => void): void {
  if (condition.kind === "segment") visit(condition)
  else if (condition.kind !== "comparison") for (const part of condition.conditions) eachUse(part, visit)
}

/** The segments that a file uses, directly or through others, each once. */
export function segmentsOf(
  file: Definition | DefinedSegment,
  segments: ReadonlyMap<string, DefinedSegment>,
): readonly DefinedSegment[] {
  const found = new Set<DefinedSegment>()
  const visit = (one: Definition | DefinedSegment) =>
    eachCondition(one, (condition) =>
      eachUse(condition, ({ name }) => {
        const segment = segments.get(name?.text ?? "")
        if (segment !== undefined) found.add(segment)
      }),
    )
  visit(file)
  for (const segment of found) visit(segment) // a set also visits what is added meanwhile
  return [...found]
}

/** Where a diagnostic about a condition as a whole points. */
export function spanOfCondition(condition: DefinedCondition) {
  return condition.kind === "comparison" ? (condition.operator?.span ?? condition.node) : condition.nameSpan
}
