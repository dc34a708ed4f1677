import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { upToEveryone } from "../flag/outcomes.ts"
import { ruleMeaning } from "../flag/rule-meaning.ts"
import { attributeOf, operatorIn } from "../language/condition.ts"
import type { Rule, RuleItem } from "../language/flag.ts"
import { isResolved, standsFor } from "../language/references.ts"
import { spanOfCondition } from "../reading/condition.ts"
import type { RuleCheck } from "./check.ts"
import { dropping } from "./drop-item.ts"
import { areIndependent } from "./independent-rules.ts"

/**
 * A rule that appears twice in one configuration is a slip, and so is a share that repeats another share or a rule. Only
 * the first per split is reported. `rules-are-reachable.ts` reports rules after `always`.
 */
export const rulesAreUnique: RuleCheck = ({ source, configurations }, isSound, _project, report) => {
  for (const configuration of configurations.values()) {
    const rules = configuration.rules
    if (rules.length < 2 || areIndependent(rules)) continue
    for (const group of groupComparable(
      upToEveryone(rules).filter((rule) => isSound(rule) && isComplete(rule)),
    ))
      reportSame(group, source, report)
  }
}

/** Groups rules by operator and attribute: only these can be the same, and finding a rule's meaning is slow. */
function groupComparable(rules: readonly Rule[]): Iterable<readonly Rule[]> {
  const groups = Map.groupBy(rules, ({ condition }) => {
    const meaning = standsFor(condition) ?? condition
    return meaning.kind === "comparison" || meaning.kind === "share"
      ? `${operatorIn(meaning)} ${attributeOf(meaning)}`
      : `${meaning.kind} `
  })
  return groups.values()
}

function reportSame(rules: readonly Rule[], source: SourceFile, report: Report): void {
  if (rules.length < 2) return
  const seen = new Map<string, Rule>()
  const splits = new Set<RuleItem>()
  for (const rule of rules) {
    const meaning = ruleMeaning(rule)
    if (meaning === undefined) continue // too long, which another check reports
    const first = seen.get(meaning)
    if (first === undefined) {
      seen.set(meaning, rule)
      continue
    }
    if (rule.item.split !== undefined && splits.has(rule.item)) continue
    splits.add(rule.item)
    report.add({
      code: "duplicate-rule",
      message: `This ${rule.item.split === undefined ? "rule" : "share"} appears twice. Remove one of them.`,
      source,
      span: spanOfCondition(rule.condition),
      // Without one share, the others would go to different users.
      fix: [rule, first].some(({ writtenId, item }) => writtenId ?? item.split)
        ? undefined
        : dropping(rule.node, source),
      related: [
        { message: "The first is here.", location: { source, span: spanOfCondition(first.condition) } },
      ],
    })
  }
}

/** Whether a rule gives a value, for conditions that have a meaning. */
function isComplete({ condition, givesNode }: Rule): boolean {
  return givesNode !== undefined && isResolved(condition)
}
