import type { Check } from "./flag-check.ts"

/** The first matching rule decides, and `always` matches: what stands after it can never take effect. */
export const rulesAreReachable: Check = (definitions, _project, report) => {
  for (const { source, configurations } of definitions) {
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
}
