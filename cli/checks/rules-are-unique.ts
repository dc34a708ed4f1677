import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { upToEveryone } from "../flag/outcomes.ts"
import { ruleMeaning } from "../flag/rule-meaning.ts"
import { attributeOf, type Condition, operatorIn, visit } from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import type { Rule, RuleItem } from "../language/flag.ts"
import { spanOfCondition } from "../reading/condition.ts"
import { ruleMembers } from "../reading/grammar/schema.ts"
import type { Check } from "./check.ts"
import { dropping } from "./drop-item.ts"
import { areIndependent } from "./independent-rules.ts"
import { hasOneForm } from "./rule-sets.ts"

/**
 * A rule that appears twice in one configuration is a slip, and so is a share that repeats another share or a rule. Only
 * the first per split is reported. `rules-are-reachable.ts` reports rules after `always`.
 */
export const rulesAreUnique: Check = ({ source, key, configurations }, _project, report) => {
  for (const configuration of configurations.values()) {
    const rules = configuration.rules
    if (rules.length < 2 || areIndependent(rules)) continue
    for (const group of groupComparable(upToEveryone(rules))) reportSame(group, key, source, report)
  }
}

/** Groups rules by operator and attribute: only these can be the same, and finding a rule's meaning is slow. */
function groupComparable(rules: readonly Rule[]): Iterable<readonly Rule[]> {
  const groups = Map.groupBy(rules.filter(isComplete), ({ condition }) => {
    const meaning = (condition.kind === "segment" && condition.means) || condition
    return meaning.kind === "comparison" || meaning.kind === "share"
      ? `${operatorIn(meaning)} ${attributeOf(meaning)}`
      : `${meaning.kind} `
  })
  return groups.values()
}

function reportSame(rules: readonly Rule[], key: string, source: SourceFile, report: Report): void {
  if (rules.length < 2) return
  const encode = createEncode(key)
  const seen = new Map<string, Rule>()
  const splits = new Set<RuleItem>()
  for (const rule of rules) {
    const meaning = ruleMeaning(rule, encode)
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

/** A rule with mistakes cannot be compared; other checks report it. */
function isComplete({ condition, givesNode }: Rule): boolean {
  return givesNode !== undefined && [...visit(condition)].every(isReadable)
}

function isReadable(condition: Condition): boolean {
  const { at } = condition
  // An unknown member may be what makes the rule different.
  if (at?.node.members.some(({ name }) => !ruleMembers.includes(name))) return false
  if (at?.name !== undefined && !hasOneForm(condition)) return false
  if (condition.kind === "segment") return condition.means !== undefined
  if (condition.kind === "flag") return condition.key !== ""
  if (condition.kind === "share" && (condition.by === "" || Number.isNaN(condition.to))) return false
  if ("parts" in condition) return condition.parts.length > 0
  if (at === undefined || at.name !== undefined) return true
  const { operator, value } = at
  return (
    operator !== undefined &&
    !(value?.kind === "mapping" || (value?.kind === "scalar" && value.value === null))
  )
}
