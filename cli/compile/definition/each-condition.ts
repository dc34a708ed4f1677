import type { MappingNode } from "../yaml/tree.ts"
import type {
  DefinedComparison,
  DefinedCondition,
  DefinedFlagUse,
  DefinedSegment,
  DefinedUse,
  Definition,
} from "./definition.ts"

/** Visits the conditions in a flag file or a segment file itself, each with the mapping around it. */
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
 * Visits each comparison in a file, with the mapping around its own. Those of the segments that the file uses are in
 * other files.
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
  else if (condition.kind !== "segment" && condition.kind !== "flag")
    for (const part of condition.conditions) visitComparisons(part, condition.node, visit)
}

/** Visits each `segment:` of a condition. */
export function eachUse(condition: DefinedCondition, visit: (use: DefinedUse) => void): void {
  eachPart(condition, (part) => {
    if (part.kind === "segment") visit(part)
  })
}

/** Visits each `flag:` of a condition. */
export function eachFlagUse(condition: DefinedCondition, visit: (use: DefinedFlagUse) => void): void {
  eachPart(condition, (part) => {
    if (part.kind === "flag") visit(part)
  })
}

/** Visits a condition and those in its groups. */
function eachPart(condition: DefinedCondition, visit: (part: DefinedCondition) => void): void {
  visit(condition)
  if ("conditions" in condition) for (const part of condition.conditions) eachPart(part, visit)
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
  for (const segment of found) visit(segment) // iterating a set also visits what is added meanwhile
  return [...found]
}
