import type { Json, Rule } from "../../proxy/contract/snapshot.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { type Condition, excludes, implies, neverMatches, sameCondition } from "./condition.ts"

/** What a flag gives in one environment: the first rule that matches, else `otherwise`. */
export interface Decision {
  /** Only rules that can make a difference, in their order. */
  readonly rules: readonly Rule[]
  /** The rules that can be the first to match: those that make a difference, and those that give what all others get. */
  readonly reachable: readonly Rule[]
  readonly otherwise: Json
}

/** What a flag gives in an environment, reduced to what makes a difference. */
export function decisionOf({ flag, configurations }: ResolvedFlag, environment: string): Decision {
  const configuration = configurations.get(environment)
  return decide(configuration?.enabled ? configuration.rules : [], flag.defaultValue)
}

/** Takes out the rules that never decide, and those at the end that give what everybody else gets. */
export function decide(rules: readonly Rule[], defaultValue: Json): Decision {
  const deciding: Rule[] = []
  let otherwise = defaultValue
  for (const rule of rules) {
    if (neverMatches(rule) || deciding.some((earlier) => implies(rule, earlier))) continue
    if (rule.operator === "always") {
      otherwise = rule.returnValue
      break
    }
    deciding.push(rule)
  }
  const reachable = [...deciding]
  while (deciding.length > 0 && sameValue(deciding.at(-1)?.returnValue, otherwise)) deciding.pop()
  return { rules: deciding, reachable, otherwise }
}

/** Whether somebody gets something else than the flag's default value. */
export function isOn(flag: ResolvedFlag, environment: string): boolean {
  const { rules, otherwise } = decisionOf(flag, environment)
  return rules.length > 0 || !sameValue(otherwise, flag.flag.defaultValue)
}

/** Whether it is certain that both give everybody the same. */
export function sameDecision(a: Decision, b: Decision): boolean {
  if (a.rules.length !== b.rules.length || !sameValue(a.otherwise, b.otherwise)) return false
  const positions = a.rules.map((rule) => b.rules.findIndex((other) => sameRule(rule, other)))
  return !positions.includes(-1) && conflicts(a.rules, positions).length === 0
}

/**
 * The pairs of rules whose order is turned round and matters: both can match one context, and they return different
 * values. `positions` says where each rule is on the other side; -1: nowhere.
 */
export function conflicts(
  rules: readonly Rule[],
  positions: readonly number[],
): readonly (readonly [first: Rule, second: Rule])[] {
  return rules.flatMap((first, at) =>
    rules.slice(at + 1).flatMap((second, offset) => {
      const [before = -1, after = -1] = [positions[at], positions[at + 1 + offset]]
      if (before === -1 || after === -1 || before < after) return []
      return sameValue(first.returnValue, second.returnValue) || excludes(first, second)
        ? []
        : [[first, second] as const]
    }),
  )
}

/** Every value that contexts which match the condition may get; one means that all of them get it. */
export function outcomes(
  { rules, otherwise }: Pick<Decision, "rules" | "otherwise">,
  condition: Condition | "anybody",
): readonly Json[] {
  const values: Json[] = []
  const add = (value: Json) => {
    if (!values.some((other) => sameValue(other, value))) values.push(value)
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

/** Equality of JSON values; the order of members is none of it. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  return canonicalJson(a) === canonicalJson(b)
}
