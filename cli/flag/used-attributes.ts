import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import { attributeOf, operandText, operatorIn } from "../language/condition.ts"
import type { Flag, Invariant, Segment } from "../language/flag.ts"
import { fitsType } from "../language/known-attributes.ts"
import { type AttributeType, attributeTypes, operators } from "../language/operators.ts"
import { textsOf } from "../language/texts.ts"
import { attributeUses, segmentsOf, type WithConditions } from "../reading/conditions-in-file.ts"
import { formMissed } from "../reading/grammar/attribute-form.ts"

/** An attribute that conditions compare, and the type that they compare it as. */
export interface UsedAttribute {
  readonly name: string
  /** The first type that all of its operators and values fit; `undefined` if none does. */
  readonly type: AttributeType | undefined
  /** How many flags use it, directly or in segments; 0 if only unused segments or invariants do. */
  readonly flags: number
}

/** The attributes that flags, segments and invariants compare, sorted by name. */
export function usedAttributes(
  flags: readonly Flag[],
  segments: ReadonlyMap<string, Segment>,
  invariants: readonly Invariant[],
): readonly UsedAttribute[] {
  const uses = new Map<string, Use>()
  const addUses = (file: WithConditions, key?: string) => {
    for (const { condition } of attributeUses(file)) {
      const [attribute, operator] = [attributeOf(condition), operatorIn(condition)]
      if (attribute === "" || operator === "") continue
      const use = uses.get(attribute) ?? {
        ...{ operators: new Set(), values: new Set(), flags: new Set() },
        isTruth: true,
      }
      uses.set(attribute, use)
      use.operators.add(operator)
      if (key !== undefined) use.flags.add(key)
      const ignoresCase = condition.kind === "comparison" && condition.ignoreCase === true
      const same = ignoresCase ? foldCase : (text: string) => text
      if (condition.kind === "comparison" && operators.get(operator)?.question.kind === "texts")
        for (const text of textsOf(condition)) use.values.add(same(text))
      use.isTruth &&= /^(true|false)$/.test(same(operandText(condition)))
    }
  }
  for (const flag of flags) for (const file of [flag, ...segmentsOf(flag, segments)]) addUses(file, flag.key)
  for (const file of [...segments.values(), ...invariants]) addUses(file)
  return [...uses]
    .map(([name, use]) => ({ name, type: typeOf(use), flags: use.flags.size }))
    .sort((a, b) => compareText(a.name, b.name))
}

/** How conditions compare an attribute. */
interface Use {
  readonly operators: Set<string>
  /** Those that it is compared with as text, in lower case where case is ignored. */
  readonly values: Set<string>
  readonly flags: Set<string>
  /** Whether every operand is `true` or `false`. */
  isTruth: boolean
}

function typeOf({ operators, values, isTruth }: Use): AttributeType | undefined {
  const fits = (type: AttributeType) =>
    [...operators].every((name) => fitsType({ type }, name)) &&
    [...values].every((value) => formMissed(type, value) === undefined)
  return isTruth && fits("boolean") ? "boolean" : attributeTypes.find(fits)
}
