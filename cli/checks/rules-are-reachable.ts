import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { nothing } from "../conditions/context-set.ts"
import { type Reach, reachOf } from "../conditions/reach.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { isForEveryone, upToEveryone } from "../flag/outcomes.ts"
import { ruleMeaning } from "../flag/rule-meaning.ts"
import { attributesIn, type Condition, visit } from "../language/condition.ts"
import type { Flag, Rule, RuleItem } from "../language/flag.ts"
import { spanOfCondition } from "../reading/condition.ts"
import type { Project } from "../reading/project.ts"
import type { RuleCheck } from "./check.ts"
import { areIndependent } from "./independent-rules.ts"
import { ruleSets } from "./rule-sets.ts"
import type { IsSound } from "./sound-rules.ts"
import { isCut } from "./splits-are-whole.ts"

/**
 * The first matching rule decides, so a rule whose contexts all match earlier rules can never take effect. Of the rules
 * after `always`, and of the shares of a split, only the first is reported. `rules-are-unique.ts` reports duplicate rules,
 * and `splits-are-whole.ts` reports splits whose condition cuts their shares.
 */
export const rulesAreReachable: RuleCheck = (flag, isSound, project, report) => {
  for (const configuration of flag.configurations.values()) {
    const rules = configuration.rules
    const first = upToEveryone(rules)
    if (!areIndependent(first)) checkReach(first, flag, isSound, project, report)
    const [last, after] = [rules[first.length - 1], rules[first.length]]
    if (last !== undefined && after !== undefined && isSound(last) && isSound(after))
      reportShadowed(after, [first.length - 1], rules, flag, report)
  }
}

function checkReach(
  rules: readonly Rule[],
  flag: Flag,
  isSound: IsSound,
  project: Project,
  report: Report,
): void {
  const sets = ruleSets(flag, rules, isSound)
  const reaches = reachOf(sets.map((set) => set ?? nothing))
  let repeated: ReadonlySet<Rule> | undefined
  const splits = new Set<RuleItem>()
  for (const [at, rule] of rules.entries()) {
    const reach = reaches[at]
    if (sets[at] === undefined || reach === undefined || isFine(reach, rule, project)) continue
    repeated ??= repeatedRules(rules)
    if (repeated.has(rule)) continue
    if (rule.item.split !== undefined) {
      if (splits.has(rule.item) || isCut(rule.item, flag.key)) continue
      splits.add(rule.item)
    }
    if (reach.kind !== "unreachable" && reach.kind !== "reachedByLists") continue
    const unless = reach.kind === "reachedByLists" ? listsOf(reach.witness) : undefined
    if (reach.shadows.length === 0) reportContradiction(rule, unless, flag, report)
    else reportShadowed(rule, reach.shadows, rules, flag, report, unless)
  }
}

function reportContradiction(rule: Rule, unless: string | undefined, { source }: Flag, report: Report): void {
  report.add({
    code: "unreachable-rule",
    ...(unless !== undefined && { severity: "warning" }),
    message: `${neverOf(rule, unless)}: its conditions exclude each other. Change or remove one of them.`,
    source,
    span: spanOfCondition(rule.condition),
  })
}

/** What must be a list or an object for a context to be the witness, such as "`plan` is a list"; `undefined`: nothing. */
function listsOf(witness: Context): string | undefined {
  const words = Object.entries(witness).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? [`${quoted(name)} is ${Array.isArray(value) ? "a list" : "an object"}`]
      : [],
  )
  return words.length === 0 ? undefined : words.join(" and ")
}

function isFine(reach: Reach, { condition }: Rule, { attributes }: Project): boolean {
  if (reach.kind === "reached" || reach.kind === "unknown") return true
  if (reach.kind === "reachedByLists")
    return attributesIn(condition).some((name) => attributes?.get(name)?.type === "list")
  if (reach.kind !== "unreachable" || reach.shadows.length > 0) return false
  // A rule that matches nothing by itself is not shadowed: lint warns about empty lists and the like.
  return condition.kind === "comparison" || condition.kind === "share" || hasNotBegun(condition)
}

/** A percentage of 0 is a rollout that has not begun. */
function hasNotBegun(condition: Condition): boolean {
  return [...visit(condition)].some((part) => part.kind === "share" && part.to === 0)
}

function neverOf({ item: { split } }: Rule, unless?: string): string {
  const never = split === undefined ? "This rule can never take effect" : "No one gets this share"
  return unless === undefined ? never : `${never}, unless ${unless}`
}

/** The rules that do the same as an earlier one. */
function repeatedRules(rules: readonly Rule[]): ReadonlySet<Rule> {
  const seen = new Set<string | undefined>([undefined]) // `undefined`: too long, which another check reports
  return new Set(rules.filter((rule) => seen.size === seen.add(ruleMeaning(rule)).size))
}

function reportShadowed(
  rule: Rule,
  shadows: readonly number[],
  rules: readonly Rule[],
  { source }: Flag,
  report: Report,
  unless?: string,
): void {
  const before = shadowWords(shadows, rules)
  report.add({
    code: "unreachable-rule",
    ...(unless !== undefined && { severity: "warning" }),
    message: `${neverOf(rule, unless)}: ${before}. ${isSameShare(rule, shadows, rules) ? otherUsers : "Move it up or remove it."}`,
    source,
    span: spanOfCondition(rule.condition),
    related: shadows.slice(0, mostShown).flatMap((at) => {
      const shadow = rules[at]
      if (shadow === undefined) return []
      const message = isForEveryone(shadow) ? "`always` is here." : `Rule ${shadow.number} is here.`
      return [{ message, location: { source, span: spanOfCondition(shadow.condition) } }]
    }),
  })
}

/** Whether a rule is for a share of which an earlier one has the users. */
function isSameShare({ condition, item }: Rule, shadows: readonly number[], rules: readonly Rule[]): boolean {
  const [earlier] = shadows.map((at) => rules[at]?.condition)
  if (condition.kind !== "share" || item.split !== undefined || earlier?.kind !== "share") return false
  return shadows.length === 1 && condition.by === earlier.by && condition.seed === earlier.seed
}

const otherUsers =
  "Both shares begin with the same users. For others, write one rule with `split`, or `from` where the first share ends and a higher `to`."

/** A limit for the message, because a hundred rules may together shadow one. */
const mostShown = 5

function shadowWords(shadows: readonly number[], rules: readonly Rule[]): string {
  if (shadows.some((at) => rules[at] !== undefined && isForEveryone(rules[at])))
    return "`always` comes before it"
  const names = [...new Set(shadows.map((at) => `${rules[at]?.number}`))]
  if (names.length === 1) return `rule ${names[0]} already matches everyone this one would`
  const shown =
    names.length > mostShown ? [...names.slice(0, mostShown), `${names.length - mostShown} more`] : names
  return `rules ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)} together already match everyone this one would`
}
