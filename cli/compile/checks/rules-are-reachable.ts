import { spanOfCondition } from "../definition/condition.ts"
import type { DefinedRule } from "../definition/definition.ts"
import type { Check } from "./check.ts"

/** The first matching rule decides, and `always` matches: a rule after it can never take effect. */
export const rulesAreReachable: Check = ({ source, configurations }, _project, report) => {
  for (const { rules } of configurations) {
    const last = rules.findIndex(isAlways)
    const always = rules[last]?.condition
    const after = rules[last + 1]
    if (always === undefined || after === undefined) continue
    report.add({
      code: "unreachable-rule",
      message: "This rule can never take effect: `always` matches before it. Move it up or remove it.",
      source,
      span: spanOfCondition(after.condition),
      related: [{ message: "`always` is here.", location: { source, span: spanOfCondition(always) } }],
    })
  }
}

/** Whether a rule is for everyone. */
export function isAlways({ condition }: DefinedRule): boolean {
  return condition.kind === "comparison" && condition.operator?.text === "always"
}
