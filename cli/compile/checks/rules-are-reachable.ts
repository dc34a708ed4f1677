import type { Check } from "./check.ts"

/** The first matching rule decides, and `always` matches: a rule after it can never take effect. */
export const rulesAreReachable: Check = ({ source, configurations }, _project, report) => {
  for (const { rules } of configurations) {
    const last = rules.findIndex((rule) => rule.operator?.text === "always")
    const always = rules[last]?.operator
    const after = rules[last + 1]
    if (always === undefined || after === undefined) continue
    report.add({
      code: "unreachable-rule",
      message: "This rule can never take effect: `always` matches before it. Move it up or remove it.",
      source,
      span: after.operator?.span ?? after.node,
      related: [{ message: "`always` is here.", location: { source, span: always.span } }],
    })
  }
}
