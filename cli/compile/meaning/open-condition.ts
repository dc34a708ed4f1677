import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { Condition, GroupKind } from "../../../sdk/evaluation/condition.ts"
import { isInShare } from "../../language/comparisons.ts"
import { nameOnWire } from "../../language/operators.ts"
import type { DefinedCondition } from "../definition/definition.ts"
import type { Node } from "../yaml/tree.ts"

/** A condition as written in a file, without places: its meaning depends on the segments that it uses. It is JSON. */
export type OpenCondition = Condition | OpenGroup | OpenUse

/** Conditions, of which all, any or none must hold. */
export interface OpenGroup {
  readonly kind: GroupKind
  readonly conditions: readonly OpenCondition[]
}

/** The condition of a segment, or of another flag by `nameOfFlagUse`. */
export interface OpenUse {
  readonly segment: string
}

/** The open form of a condition in a file. */
export function openCondition(defined: DefinedCondition): OpenCondition {
  switch (defined.kind) {
    case "comparison": {
      const { operator, value, ignoresCase, share } = defined
      const attribute = defined.attribute?.text ?? ""
      const name = operator?.text ?? ""
      const text = operandText(value)
      if (share !== undefined && (share.from > 0 || share.seed !== undefined)) {
        const { seed = "", from } = share
        return isInShare(attribute, { seed, from, to: Number(text) })
      }
      return { attribute, operator: nameOnWire(name, ignoresCase), value: text }
    }
    case "segment":
      return { segment: defined.name?.text ?? "" }
    case "flag":
      return {
        segment: nameOfFlagUse(defined.place?.environment ?? "", defined.key?.text ?? "", defined.gives),
      }
    default:
      return { kind: defined.kind, conditions: defined.conditions.map(openCondition) }
  }
}

/** The name under which "that flag gives this value in this environment" is a segment. No segment file can have it. */
function nameOfFlagUse(environment: string, key: string, gives: Json): string {
  return `flag ${JSON.stringify([environment, key, gives])}`
}

/** The parts of such a name; `undefined` for a segment's. */
export function parseFlagUse(
  name: string,
): readonly [environment: string, key: string, gives: Json] | undefined {
  return name.startsWith("flag [") ? JSON.parse(name.slice(5)) : undefined
}

/**
 * An operand in its wire format: a list as a JSON array in a string, no operand as `""`. The value must have passed the
 * check of operands.
 */
export function operandText(value: Node | undefined): string {
  if (value === undefined || value.kind === "mapping") return ""
  if (value.kind === "scalar") return String(value.value ?? "")
  return JSON.stringify(value.items.map(operandText))
}

/** Adds the names of the segments that a condition uses directly. */
export function addUses(condition: OpenCondition, names: Set<string>): void {
  if ("segment" in condition) names.add(condition.segment)
  else if ("conditions" in condition) for (const part of condition.conditions) addUses(part, names)
}

/** Whether a condition is about another flag. */
export function asksFlag(condition: OpenCondition): boolean {
  if ("conditions" in condition) return condition.conditions.some(asksFlag)
  return "segment" in condition && parseFlagUse(condition.segment) !== undefined
}

/** Whether a condition uses a segment. */
export function hasUse(condition: OpenCondition): boolean {
  return "conditions" in condition ? condition.conditions.some(hasUse) : "segment" in condition
}
