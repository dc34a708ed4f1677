import type { Condition as Encoded } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { reachesOf, witnessOf } from "../flag/reach.ts"
import type { Condition } from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import { branchesOf } from "./branches.ts"
import { operandsOf } from "./contexts.ts"
import { expression } from "./meaning/expression.ts"
import { withTyped } from "./neighbours.ts"

/**
 * Contexts that reach each rule of a flag, and the default, each as strings or also with the values that the strings mean;
 * with `inEachWay`, by each way to satisfy a rule. The first one is empty.
 */
export function witnessesOf(
  flag: Flag,
  rules: readonly Condition[],
  { isTextual, inEachWay }: { readonly isTextual: boolean; readonly inEachWay: boolean },
): readonly Context[] {
  const branches = inEachWay ? branchesOf(rules) : []
  const reaches = [
    ...reachesOf(flag, rules, expression),
    ...branches.map((branch) => reachesOf(flag, branch, expression).at(-2)),
  ]
  const found = reaches
    .map(witnessOf)
    .flatMap((one) => (one !== undefined && Object.keys(one).length > 0 ? [one] : []))
  return [{}, ...(isTextual ? found.map(asTexts) : found.flatMap(withTyped))]
}

function asTexts(context: Context): Context {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
}

/** An id that no rule names, not even its start, end or middle, because the rules about ids come first. */
export function unnamedId(attribute: string, comparisons: readonly Encoded[]): string {
  const about = comparisons.filter((one) => one.attribute === attribute)
  const operands = about.flatMap(operandsOf).map((operand) => operand.toLowerCase())
  const whole = new Set(operands)
  const parts = operands.filter((operand) => operand.length < 8)
  const isFree = (id: string) => !whole.has(id) && !parts.some((part) => id.includes(part))
  const numbers = Array.from({ length: whole.size + 1 }, (_, at) => at + 1)
  return numbers.flatMap((number) => [`user-${number}`, `${number}x`, `q${number}`]).find(isFree) ?? "user-1"
}
