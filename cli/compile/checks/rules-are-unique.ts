import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import type { DefinedRule } from "../definition/definition.ts"
import { ruleMeaning } from "../meaning/resolve.ts"
import type { Check } from "./check.ts"
import { dropping } from "./drop-item.ts"

/** The same rule twice in one configuration is a slip. Rules after `always` are left to `rules-are-reachable.ts`. */
export const rulesAreUnique: Check = ({ source, configurations }, _project, report) => {
  for (const { rules } of configurations) {
    if (rules.length < 2) continue
    const always = rules.findIndex((rule) => rule.operator?.text === "always")
    const reachable = always === -1 ? rules : rules.slice(0, always + 1)
    for (const alike of groupAlike(reachable)) reportSame(alike, source, report)
  }
}

/** Rules of one operator and attribute: only these can be the same, and finding a rule's meaning takes long. */
function groupAlike(rules: readonly DefinedRule[]): Iterable<readonly DefinedRule[]> {
  const groups = Map.groupBy(rules.filter(isComplete), ({ operator, attribute }) => {
    return `${operator?.text} ${attribute?.text}`
  })
  return groups.values()
}

function reportSame(rules: readonly DefinedRule[], source: SourceFile, report: Report): void {
  if (rules.length < 2) return
  const seen = new Map<string, DefinedRule>()
  for (const rule of rules) {
    const meaning = ruleMeaning(rule)
    const first = seen.get(meaning)
    if (first === undefined) {
      seen.set(meaning, rule)
      continue
    }
    report.add({
      code: "duplicate-rule",
      message: "This rule is here twice. Remove one of them.",
      source,
      span: rule.operator?.span ?? rule.node,
      fix: rule.id === undefined && first.id === undefined ? dropping(rule.node, source) : undefined,
      related: [
        { message: "The first is here.", location: { source, span: first.operator?.span ?? first.node } },
      ],
    })
  }
}

/** A rule with mistakes cannot be compared; other checks report it. */
function isComplete({ operator, value, returnValue }: DefinedRule): boolean {
  const hasText =
    value === undefined || value.kind === "sequence" || (value.kind === "scalar" && value.value !== null)
  return operator !== undefined && returnValue !== undefined && hasText
}
