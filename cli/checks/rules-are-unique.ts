import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { ruleMeaning } from "../flag/rule-meaning.ts"
import { attributeOf, type Condition, operatorIn, visit } from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import { spanOfCondition } from "../reading/condition.ts"
import type { DefinedRule } from "../reading/definition.ts"
import { ruleMembers } from "../reading/grammar/schema.ts"
import { type SentRule, sentRules } from "../reading/split.ts"
import type { Check } from "./check.ts"
import { dropping } from "./drop-item.ts"
import { areIndependent } from "./independent-rules.ts"
import { hasOneForm } from "./rule-sets.ts"
import { isForEveryone } from "./rules-are-reachable.ts"

/**
 * A rule that appears twice in one configuration is a slip, and so is a share that repeats another share or a rule. Only
 * the first per split is reported. `rules-are-reachable.ts` reports rules after `always`.
 */
export const rulesAreUnique: Check = ({ source, key, configurations }, _project, report) => {
  for (const configuration of configurations) {
    const rules = sentRules(configuration)
    if (rules.length < 2 || areIndependent(rules)) continue
    const always = rules.findIndex(isForEveryone)
    const reachable = always === -1 ? rules : rules.slice(0, always + 1)
    for (const group of groupComparable(reachable)) reportSame(group, key, source, report)
  }
}

/** Groups rules by operator and attribute: only these can be the same, and finding a rule's meaning is slow. */
function groupComparable(rules: readonly SentRule[]): Iterable<readonly SentRule[]> {
  const groups = Map.groupBy(rules.filter(isComplete), ({ condition }) => {
    const meaning = (condition.kind === "segment" && condition.means) || condition
    return meaning.kind === "comparison" || meaning.kind === "share"
      ? `${operatorIn(meaning)} ${attributeOf(meaning)}`
      : `${meaning.kind} `
  })
  return groups.values()
}

function reportSame(rules: readonly SentRule[], key: string, source: SourceFile, report: Report): void {
  if (rules.length < 2) return
  const encode = createEncode(key)
  const seen = new Map<string, SentRule>()
  const splits = new Set<DefinedRule>()
  for (const rule of rules) {
    const meaning = ruleMeaning(rule, encode)
    if (meaning === undefined) continue // too long, which another check reports
    const first = seen.get(meaning)
    if (first === undefined) {
      seen.set(meaning, rule)
      continue
    }
    if (rule.split !== undefined && splits.has(rule.rule)) continue
    splits.add(rule.rule)
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
function isComplete({ condition, returnValue }: SentRule): boolean {
  return returnValue !== undefined && [...visit(condition)].every(isReadable)
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
