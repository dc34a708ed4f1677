import type { GroupKind } from "../../sdk/evaluation/condition.ts"
import type { Span } from "../diagnostics/diagnostic.ts"
import { shareOperator } from "../language/comparisons.ts"
import type { Comparison, Condition, FlagUse, SegmentUse, Share } from "../language/condition.ts"
import {
  type MappingNode,
  type Member,
  memberOf,
  type Node,
  type Text,
  toValue,
  writtenText,
} from "../language/tree.ts"
import { conditionForms } from "./grammar/schema.ts"
import { pathBeside } from "./list-file.ts"
import { toRamp } from "./ramp.ts"
import { toShare } from "./share.ts"

/** The file of a condition, and more if it is not in a segment. */
export interface ConditionPlace {
  /** The file's path in the flags folder, with `/`. */
  readonly path: string
  readonly rule?: RulePlace
  /** The attribute of the time, from the project file; `undefined`: it names none. */
  readonly clock: string | undefined
}

/** The configuration of a condition in a rule, or the environment of one in an invariant. */
export interface RulePlace {
  /** The flag's; `undefined` in an invariant. */
  readonly key: string | undefined
  readonly environment: string
}

/**
 * Reads the condition in a mapping, even one with mistakes: in a rule, a segment, an invariant or an item of a group. A comparison
 * next to a group, a segment, a share or a ramp is ignored. A condition in a segment has no `rule`.
 */
export function toCondition(node: MappingNode, place: ConditionPlace): Condition {
  const { rule } = place
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
      default:
        if (conditionForms.some((form) => form === member.name)) other ??= member
    }
  }
  if (other === undefined) return toComparison({ node, attribute, operator, value, ignoresCase }, place)
  if (other.name === "share") return toShare(node, other, rule?.key)
  if (other.name === "ramp") return toRamp(node, other, { clock: place.clock, key: rule?.key })
  if (other.name === "flag") return toFlagUse(node, other, rule)
  const { name, nameSpan, value: items } = other
  const at = { node, name: nameSpan, value: items }
  if (name === "segment") return { kind: name, name: writtenText(items)?.text ?? "", means: undefined, at }
  const parts = items.kind === "sequence" ? items.items.flatMap((item) => toPart(item, place)) : []
  return { kind: name as GroupKind, parts, at }
}

function toPart(item: Node, place: ConditionPlace): readonly Condition[] {
  return item.kind === "mapping" ? [toCondition(item, place)] : []
}

interface Operands {
  readonly node: MappingNode
  readonly attribute: Node | undefined
  readonly operator: Node | undefined
  readonly value: Node | undefined
  readonly ignoresCase: boolean
}

function toComparison(
  { node, attribute, operator, value, ignoresCase }: Operands,
  { path }: ConditionPlace,
): Comparison | Share {
  const [about, by] = [writtenText(attribute), writtenText(operator)]
  const at = { node, attribute: about?.span, operator: by?.span, value }
  const file = fileIn(value)
  if (by?.text === shareOperator) {
    const text = operandText(value)
    return { kind: "share", by: about?.text ?? "", from: 0, to: Number(text), seed: undefined, text, at }
  }
  return {
    kind: "comparison",
    attribute: about?.text ?? "",
    operator: by?.text ?? "",
    operand: value?.kind === "sequence" ? value.items.map(operandText) : operandText(value),
    ...(ignoresCase && { ignoreCase: true }),
    ...(file !== undefined && { operand: [], file: pathBeside(path, file.text) }),
    at,
  }
}

/** The file that `value: { file: … }` names; `undefined` for any other value. */
export function fileIn(value: Node | undefined): Text | undefined {
  return value?.kind === "mapping" ? writtenText(memberOf(value, "file")?.value) : undefined
}

/** A value as text, even one with mistakes; a list as a JSON array. */
export function operandText(value: Node | undefined): string {
  if (value === undefined || value.kind === "mapping") return ""
  if (value.kind === "scalar") return String(value.value ?? "")
  return JSON.stringify(value.items.map(operandText))
}

/** `flag:` as written, even with mistakes. Only in an invariant may `in` name another environment. */
function toFlagUse(node: MappingNode, { nameSpan, value }: Member, rule: RulePlace | undefined): FlagUse {
  const is = memberOf(node, "is")?.value
  const within = rule?.key === undefined ? writtenText(memberOf(node, "in")?.value)?.text : undefined
  return {
    kind: "flag",
    key: writtenText(value)?.text ?? "",
    environment: within ?? rule?.environment ?? "",
    is: is === undefined ? true : toValue(is),
    means: undefined,
    at: { node, name: nameSpan, value },
  }
}

/** Where a reference has the name of its segment or flag; without one, where it has `segment` or `flag`. */
export function spanOfName(use: SegmentUse | FlagUse): Span {
  return writtenText(use.at?.value)?.span ?? spanOfForm(use)
}

/** Where a condition about a flag has `is`; without one, where it has the flag. */
export function spanOfValue(use: FlagUse): Span {
  return (use.at && memberOf(use.at.node, "is")?.value) ?? spanOfName(use)
}

/** The place of a diagnostic about a whole condition, which an author wrote. */
export function spanOfCondition(condition: Condition): Span {
  return condition.kind === "flag" ? spanOfName(condition) : spanOfForm(condition)
}

/** Where a condition has the field that makes it what it is. */
export function spanOfForm({ kind, at }: Condition): Span {
  if (at === undefined) throw new Error(`a condition without a place: ${kind}`)
  return at.name ?? at.operator ?? at.node
}
