import { type Condition, type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { conditionName } from "../conditions/clause.ts"
import type { Reference, Condition as Unencoded } from "../language/condition.ts"
import { referenceName } from "../language/references.ts"

/** Names for conditions that need not be spelled out. */
export interface ConditionNames {
  /** The segment or the other flag that the condition is. */
  readonly referenceOf: (condition: Condition) => Reference | undefined
  /** An unchanged rule. */
  readonly ruleOf: (condition: Condition) => NumberedRule | undefined
}

/** A rule by its number, from 1, and the names in it. */
export interface NumberedRule extends Pick<ConditionNames, "referenceOf"> {
  readonly number: number
}

export const noNames: ConditionNames = { referenceOf: () => undefined, ruleOf: () => undefined }

/** The names that a rule has for its conditions, by `conditionName`; `undefined` for one that it spells out. */
export type NamesInRule = ReadonlyMap<string, Reference | undefined>

/** The names that a rule uses itself. If a condition has two names, the first counts. `own`: its condition before it is sent. */
export function namesInRule(rule: Condition, own: Unencoded | undefined): NamesInRule {
  const names = new Map<string, Reference | undefined>()
  const visit = (parsed: ParsedCondition, own: Unencoded | undefined): void => {
    const name = conditionName(parsed.condition)
    const reference = own?.kind === "segment" || own?.kind === "flag" ? own : undefined
    names.set(name, names.get(name) ?? reference)
    if (reference !== undefined || !("parts" in parsed)) return
    const parts = own && "parts" in own ? own.parts : []
    for (const [at, part] of parsed.parts.entries()) visit(part, parts[at])
  }
  visit(parseCondition(rule), own)
  return names
}

/** The names that rules share: a condition that they name differently, or that one of them spells out, has none. */
export function commonNames(rules: readonly NamesInRule[]): NamesInRule {
  const common = new Map<string, Reference | undefined>()
  for (const names of rules)
    for (const [condition, reference] of names) {
      const isCommon = !common.has(condition) || isSame(common.get(condition), reference)
      common.set(condition, isCommon ? reference : undefined)
    }
  return common
}

function isSame(a: Reference | undefined, b: Reference | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && referenceName(a) === referenceName(b))
}

/** Finds names in the first of some maps that has the condition. */
export function findName(...maps: readonly NamesInRule[]): ConditionNames["referenceOf"] {
  if (maps.every(({ size }) => size === 0)) return noNames.referenceOf
  return (condition) => {
    const name = conditionName(condition)
    return maps.find((names) => names.has(name))?.get(name)
  }
}
