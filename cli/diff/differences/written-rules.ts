import type { DefinedSplit } from "../../compile/definition/definition.ts"
import { type OpenCondition, openCondition } from "../../compile/meaning/open-condition.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"

/** A rule as its file has it, where a split is one rule. */
export interface WrittenRule {
  /** From 1. */
  readonly number: number
  /** As written, with the names of segments; of a split, the condition that limits it. `undefined`: everyone. */
  readonly condition: OpenCondition | undefined
  readonly split: DefinedSplit | undefined
}

/** The rules of a flag in an environment as its file has them, by the position of each on the wire. */
export function writtenRules({ definition }: ResolvedFlag, environment: string): readonly WrittenRule[] {
  const rules = definition.configurations.find((one) => one.environment === environment)?.rules ?? []
  let number = 0
  return rules.map(({ condition, split }, at) => {
    if (split === undefined || split !== rules[at - 1]?.split) number++
    const own = split === undefined ? condition : split.whom
    return { number, condition: own && openCondition(own), split }
  })
}
