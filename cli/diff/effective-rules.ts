import type { Json, Rule } from "../../proxy/contract/snapshot.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { excludes, implies, neverMatches, sameCondition } from "./condition.ts"

/** What a flag gives in one environment: the value of the first rule that matches, else `otherwise`. */
export interface EffectiveRules {
  /** Only the rules that can make a difference, in their order. */
  readonly rules: readonly Rule[]
  /** The rules that can be the first to match: `rules`, and those at the end that give what everybody else gets. */
  readonly reachable: readonly Rule[]
  readonly otherwise: Json
}

/** The effective rules of a flag in an environment. */
export function effectiveRulesOf(
  { flag, configurations }: ResolvedFlag,
  environment: string,
): EffectiveRules {
  const configuration = configurations.get(environment)
  const rules = configuration?.enabled ? configuration.rules : []
  const reachable: Rule[] = []
  let otherwise = flag.defaultValue
  for (const rule of rules) {
    if (neverMatches(rule) || reachable.some((earlier) => implies(rule, earlier))) continue
    if (rule.operator === "always") {
      otherwise = rule.returnValue
      break
    }
    reachable.push(rule)
  }
  const last = reachable.findLastIndex(({ returnValue }) => !sameValue(returnValue, otherwise))
  return { rules: reachable.slice(0, last + 1), reachable, otherwise }
}

/** Whether somebody gets a value other than the flag's default. */
export function isOn(flag: ResolvedFlag, environment: string): boolean {
  const { rules, otherwise } = effectiveRulesOf(flag, environment)
  return rules.length > 0 || !sameValue(otherwise, flag.flag.defaultValue)
}

/** Whether it is certain that everybody gets the same value on both sides. */
export function sameForAll(before: EffectiveRules, after: EffectiveRules): boolean {
  return (
    before.rules.length === after.rules.length &&
    sameValue(before.otherwise, after.otherwise) &&
    before.rules.every((rule) => after.rules.some((another) => sameRule(rule, another))) &&
    reorderings(before.rules, after.rules).length === 0
  )
}

/** Two rules that can both match one context and return different values. Which one comes first differs. */
export interface Reordering {
  /** The rule that came first. */
  readonly before: Rule
  /** The rule that comes first now. */
  readonly after: Rule
}

/** The pairs of rules whose order is reversed, where that can matter. */
export function reorderings(before: readonly Rule[], after: readonly Rule[]): readonly Reordering[] {
  const positions = after.map((rule) => before.findIndex((another) => sameRule(rule, another)))
  return after.flatMap((first, at) =>
    after.slice(at + 1).flatMap((second, offset) => {
      const [position = -1, next = -1] = [positions[at], positions[at + 1 + offset]]
      if (position === -1 || next === -1 || position < next) return []
      return sameValue(first.returnValue, second.returnValue) || excludes(first, second)
        ? []
        : [{ before: second, after: first }]
    }),
  )
}

/** Every value that contexts matching the condition may get. If there is only one, all of them get it. */
export function outcomes(
  { rules, otherwise }: Pick<EffectiveRules, "rules" | "otherwise">,
  condition: Condition | "anybody",
): readonly Json[] {
  const values: Json[] = []
  const add = (value: Json) => {
    if (!values.some((known) => sameValue(known, value))) values.push(value)
  }
  for (const rule of rules) {
    if (condition !== "anybody") {
      if (excludes(condition, rule)) continue
      if (implies(condition, rule)) {
        add(rule.returnValue)
        return values
      }
    }
    add(rule.returnValue)
  }
  add(otherwise)
  return values
}

/** Whether two rules do the same, whatever their ids. */
export function sameRule(a: Rule, b: Rule): boolean {
  return sameCondition(a, b) && sameValue(a.returnValue, b.returnValue)
}

/** Equality of JSON values, whatever the order of members. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  return canonicalJson(a) === canonicalJson(b)
}
