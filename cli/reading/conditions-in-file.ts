import type { Report } from "../diagnostics/diagnostic.ts"
import { type Comparison, type Condition, type Group, type Share, visit } from "../language/condition.ts"
import type { Flag, Invariant, Segment } from "../language/flag.ts"
import type { MappingNode } from "../language/tree.ts"
import type { Project } from "./project.ts"
import { sharesOf } from "./split.ts"

/** What has conditions: a flag file, a segment file or an invariant. */
export type WithConditions = Flag | Segment | Invariant

/** A check of these conditions, each by itself. */
export type ConditionCheck = (file: WithConditions, project: Project, report: Report) => void

/** The conditions of the rules in a flag file, that of a segment file or those of an invariant, each with the mapping around it. */
function* wholeConditions(
  file: WithConditions,
): Generator<readonly [condition: Condition, around: MappingNode], void> {
  if ("condition" in file) yield [file.condition, file.root]
  else if ("conditions" in file) for (const condition of file.conditions) yield [condition, file.root]
  else
    for (const { node, items } of file.configurations.values())
      for (const { condition } of items) if (condition !== undefined) yield [condition, node]
}

/** The same with the conditions in their groups, each after its group. */
export function* conditionsIn(file: WithConditions): Generator<Condition, void> {
  for (const [condition] of wholeConditions(file)) yield* visit(condition)
}

/** The same, in the same order, each with the mapping around it and with its group, if it is in one. */
export function* placedConditions(
  file: WithConditions,
): Generator<readonly [condition: Condition, around: MappingNode, group: Group | undefined], void> {
  const groups = new Map<Condition, Group>()
  for (const [whole, around] of wholeConditions(file))
    for (const condition of visit(whole)) {
      const group = groups.get(condition)
      yield [condition, group?.at?.node ?? around, group]
      if ("parts" in condition) for (const part of condition.parts) groups.set(part, condition)
    }
}

/** A flag's conditions as SDKs get them, where each arm of a split has its own, or a segment's condition. */
export function sentConditions(file: Flag | Segment): readonly Condition[] {
  if ("condition" in file) return [file.condition]
  return [...file.configurations.values()].flatMap(({ rules }) => rules.map(({ condition }) => condition))
}

/** A condition about an attribute. */
export interface AttributeUse {
  readonly condition: Comparison | Share
  /** The mapping around its own. */
  readonly around: MappingNode
  /** Whether it is an arm of a split. */
  readonly isArm: boolean
}

/** Each use of an attribute in a file. Those of the segments that the file uses are in other files. */
export function* attributeUses(file: WithConditions): Generator<AttributeUse, void> {
  for (const [condition, around] of placedConditions(file))
    if (condition.kind === "comparison" || condition.kind === "share")
      yield { condition, around, isArm: false }
  if (!("configurations" in file)) return
  for (const { node, items } of file.configurations.values())
    for (const { split } of items)
      for (const { share } of split === undefined ? [] : sharesOf(split))
        yield { condition: share, around: node, isArm: true }
}

/** The segments that a file uses, directly or through others, each once. */
export function segmentsOf(file: WithConditions, segments: ReadonlyMap<string, Segment>): readonly Segment[] {
  const found = new Set<Segment>()
  const addFrom = (user: WithConditions) => {
    for (const part of conditionsIn(user)) {
      const segment = part.kind === "segment" ? segments.get(part.name) : undefined
      if (segment !== undefined) found.add(segment)
    }
  }
  addFrom(file)
  for (const segment of found) addFrom(segment) // iterating a set also visits what is added meanwhile
  return [...found]
}
