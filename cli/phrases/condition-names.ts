import { type Condition, type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import type { OpenCondition } from "../compile/meaning/open-condition.ts"
import { conditionName } from "../conditions/clause.ts"

/** Names for conditions that need not be spelled out. */
export interface ConditionNames {
  /** The name of a segment, or what `parseFlagUse` reads. */
  readonly segmentOf: (condition: Condition) => string | undefined
  /** An unchanged rule. */
  readonly ruleOf: (condition: Condition) => NumberedRule | undefined
}

/** A rule by its number, from 1, and the names in it. */
export interface NumberedRule extends Pick<ConditionNames, "segmentOf"> {
  readonly number: number
}

export const noNames: ConditionNames = { segmentOf: () => undefined, ruleOf: () => undefined }

/** The names that a rule has for its conditions, by `conditionName`; `undefined` for one that it spells out. */
export type NamesInRule = ReadonlyMap<string, string | undefined>

/** The names that a rule uses itself. If a condition has two names, the first counts. `open`: the rule as it is written. */
export function namesInRule(rule: Condition, open: OpenCondition | undefined): NamesInRule {
  const names = new Map<string, string | undefined>()
  const visit = (parsed: ParsedCondition, own: OpenCondition | undefined): void => {
    const name = conditionName(parsed.condition)
    const use = own && "segment" in own ? own.segment : undefined
    names.set(name, names.get(name) ?? use)
    if (use !== undefined || !("parts" in parsed)) return
    const parts = own && "conditions" in own ? own.conditions : []
    for (const [at, part] of parsed.parts.entries()) visit(part, parts[at])
  }
  visit(parseCondition(rule), open)
  return names
}

/** The names that rules share: a condition that they name differently, or that one of them spells out, has none. */
export function commonNames(rules: readonly NamesInRule[]): NamesInRule {
  const common = new Map<string, string | undefined>()
  for (const names of rules)
    for (const [condition, name] of names)
      common.set(condition, common.has(condition) && common.get(condition) !== name ? undefined : name)
  return common
}

/** Finds names in the first of some maps that has the condition. */
export function findName(...maps: readonly NamesInRule[]): ConditionNames["segmentOf"] {
  if (maps.every(({ size }) => size === 0)) return noNames.segmentOf
  return (condition) => {
    const name = conditionName(condition)
    return maps.find((names) => names.has(name))?.get(name)
  }
}
