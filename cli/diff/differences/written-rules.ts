import type { ResolvedFlag } from "../../flag/resolve.ts"
import type { Condition } from "../../language/condition.ts"
import type { Split } from "../../reading/definition.ts"
import { sentRules } from "../../reading/split.ts"

/** A rule as its file has it, where a split is one rule. */
export interface WrittenRule {
  /** From 1. */
  readonly number: number
  /** Of a split, the condition that limits it. `undefined`: everyone. */
  readonly condition: Condition | undefined
  readonly split: Split | undefined
}

/** The rules of a flag in an environment as its file has them, by the position of each on the wire. */
export function writtenRules({ definition }: ResolvedFlag, environment: string): readonly WrittenRule[] {
  const configuration = definition.configurations.find((one) => one.environment === environment)
  const sent = configuration === undefined ? [] : sentRules(configuration)
  let number = 0
  return sent.map(({ rule, split }, at) => {
    if (rule !== sent[at - 1]?.rule) number++
    return { number, condition: rule.condition, split }
  })
}
