import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import { spanOfCondition } from "../definition/condition.ts"
import type { DefinedCondition, DefinedRule, DefinedSplit } from "../definition/definition.ts"
import type { Segments } from "../definition/segments.ts"
import { ruleMembers } from "../grammar/schema.ts"
import { ruleMeaning } from "../meaning/rule-meaning.ts"
import { createToWire } from "../meaning/wire-condition.ts"
import type { Check } from "./check.ts"
import { dropping } from "./drop-item.ts"
import { areIndependent } from "./independent-rules.ts"
import { isForEveryone } from "./rules-are-reachable.ts"

/**
 * A rule that appears twice in one configuration is a slip, and so is a share that repeats another share or a rule. Only
 * the first per split is reported. `rules-are-reachable.ts` reports rules after `always`.
 */
export const rulesAreUnique: Check = ({ source, segments, configurations }, _project, report) => {
  for (const { rules } of configurations) {
    if (rules.length < 2 || areIndependent(rules, segments)) continue
    const always = rules.findIndex((rule) => isForEveryone(rule, segments))
    const reachable = always === -1 ? rules : rules.slice(0, always + 1)
    for (const group of groupComparable(reachable, segments)) reportSame(group, segments, source, report)
  }
}

/** Groups rules by operator and attribute: only these can be the same, and finding a rule's meaning is slow. */
function groupComparable(
  rules: readonly DefinedRule[],
  segments: Segments,
): Iterable<readonly DefinedRule[]> {
  const complete = rules.filter((rule) => isComplete(rule, segments))
  const groups = Map.groupBy(complete, ({ condition }) => {
    switch (condition.kind) {
      case "comparison":
        return `${condition.operator?.text} ${condition.attribute?.text ?? ""}`
      case "segment": {
        const expanded = segments.get(condition.name?.text ?? "")?.condition
        return `${expanded?.operator} ${expanded?.attribute}`
      }
      default:
        return `${condition.kind} `
    }
  })
  return groups.values()
}

function reportSame(
  rules: readonly DefinedRule[],
  segments: Segments,
  source: SourceFile,
  report: Report,
): void {
  if (rules.length < 2) return
  const toWire = createToWire(segments)
  const seen = new Map<string, DefinedRule>()
  const splits = new Set<DefinedSplit | undefined>()
  for (const rule of rules) {
    const meaning = ruleMeaning(rule, toWire)
    if (meaning === undefined) continue // too long, which another check reports
    const first = seen.get(meaning)
    if (first === undefined) {
      seen.set(meaning, rule)
      continue
    }
    if (rule.split !== undefined && splits.has(rule.split)) continue
    splits.add(rule.split)
    report.add({
      code: "duplicate-rule",
      message: `This ${rule.split === undefined ? "rule" : "share"} appears twice. Remove one of them.`,
      source,
      span: spanOfCondition(rule.condition),
      // Without one share, the others would go to different users.
      fix: [rule, first].some(({ id, split }) => id ?? split) ? undefined : dropping(rule.node, source),
      related: [
        { message: "The first is here.", location: { source, span: spanOfCondition(first.condition) } },
      ],
    })
  }
}

/** A rule with mistakes cannot be compared; other checks report it. */
function isComplete({ condition, returnValue }: DefinedRule, segments: Segments): boolean {
  return returnValue !== undefined && isWhole(condition, segments)
}

function isWhole(condition: DefinedCondition, segments: Segments): boolean {
  // An unknown member may be what makes the rule different.
  if (condition.node.members.some(({ name }) => !ruleMembers.includes(name))) return false
  if (condition.kind === "flag") return true
  if (condition.kind === "segment") return segments.get(condition.name?.text ?? "") !== undefined
  if (condition.kind !== "comparison")
    return condition.conditions.length > 0 && condition.conditions.every((part) => isWhole(part, segments))
  const { operator, value } = condition
  const hasText =
    value === undefined || value.kind === "sequence" || (value.kind === "scalar" && value.value !== null)
  return operator !== undefined && hasText
}
