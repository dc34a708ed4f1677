import { changesValue, reachOf } from "../conditions/reach.ts"
import { createWork, stepsForFlag } from "../conditions/work.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { isForEveryone } from "../flag/outcomes.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { Flag, Rule } from "../language/flag.ts"
import { spanOfCondition } from "../reading/condition.ts"
import { areIndependent } from "./independent-rules.ts"
import { ruleSets } from "./rule-sets.ts"

/** A rule gives someone a value that the rules below it and the default would not. Only for flags without errors. */
export function rulesHaveEffect(flag: Flag, report: Report): void {
  const { source, defaultValue, defaultNode, configurations } = flag
  for (const configuration of configurations.values()) {
    const { enabled } = configuration
    const rules = configuration.rules
    if (!enabled || defaultNode === undefined || rules.length < 2) continue
    const values = [...rules.map(({ gives }) => canonicalJson(gives)), canonicalJson(defaultValue)]
    if (values.every((value) => value === values[0])) continue // `no-effect` reports the whole configuration
    for (const at of withoutEffect(flag, rules, values)) {
      const rule = rules[at]
      if (rule === undefined || rule.item.split) continue // every share is written out, even one that gets the default
      report.add({
        code: "rule-without-effect",
        message: `This rule changes nothing: without it, the same users would still get ${quoted(values[at] ?? "")}. Remove it, or change its value.`,
        source,
        span: spanOfCondition(rule.condition),
      })
    }
  }
}

/** The positions of rules that some context reaches and that could be left out. The last value is the default's. */
function withoutEffect(flag: Flag, rules: readonly Rule[], values: readonly string[]): readonly number[] {
  const candidates = candidatesOf(rules, values)
  if (candidates.length === 0) return []
  const known = ruleSets(flag, rules, () => true)
  const sets = known.filter((set) => set !== undefined)
  if (sets.length < known.length) return [] // whoever an unknown rule matches may need the ones around it
  const work = createWork(stepsForFlag)
  const found = candidates.filter(
    (at) => !work.isSpent && changesValue(sets, values, at, work.share(0.25)) === false,
  )
  if (found.length === 0) return []
  const reaches = reachOf(sets)
  return found.filter((at) => reaches[at]?.kind === "reached")
}

/** The rules that may have no effect: all values below are the same, or, if rules share attributes, at least one is. */
function candidatesOf(rules: readonly Rule[], values: readonly string[]): readonly number[] {
  // A context with only the attributes of two independent rules matches just those two.
  const quantifier = areIndependent(rules) ? "every" : "some"
  const end = rules.findIndex(isForEveryone)
  return rules.flatMap((_, at) => {
    const after = values.slice(at + 1, end > at ? end + 1 : undefined)
    return after[quantifier]((value) => value === values[at]) ? [at] : []
  })
}
