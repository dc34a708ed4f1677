import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { CountedOutcome, Coverage } from "../specs/coverage.ts"
import { branchesOf } from "./branches.ts"
import { operandsOf } from "./contexts.ts"
import { withTyped } from "./neighbours.ts"

/**
 * Contexts that reach each rule of an entry, and the default, each as strings or also with the values that the strings mean;
 * with `inEachWay`, by each way to satisfy a rule. The first one is empty.
 */
export function witnessesOf(
  entry: FlagEntry,
  { outcomesOf }: Pick<Coverage, "outcomesOf">,
  { isTextual, inEachWay }: { readonly isTextual: boolean; readonly inEachWay: boolean },
): readonly Context[] {
  const branches = inEachWay ? branchesOf(entry) : []
  const outcomes = [
    ...outcomesOf("", entry),
    ...branches.flatMap((branch) => outcomesOf("", branch).filter(isByLastRule(branch))),
  ]
  const found = outcomes.map(({ witness = {} }) => witness).filter((one) => Object.keys(one).length > 0)
  return [{}, ...(isTextual ? found.map(asTexts) : found.flatMap(withTyped))]
}

function asTexts(context: Context): Context {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
}

function isByLastRule({ environment }: FlagEntry): (outcome: CountedOutcome) => boolean {
  const last = (environment?.rules.length ?? 0) - 1
  return ({ by }) => by === last
}

/** An id that no rule names, not even its start, end or middle, because the rules about ids come first. */
export function unnamedId(attribute: string, comparisons: readonly Condition[]): string {
  const about = comparisons.filter((one) => one.attribute === attribute)
  const operands = about.flatMap(operandsOf).map((operand) => operand.toLowerCase())
  const whole = new Set(operands)
  const parts = operands.filter((operand) => operand.length < 8)
  const isFree = (id: string) => !whole.has(id) && !parts.some((part) => id.includes(part))
  const numbers = Array.from({ length: whole.size + 1 }, (_, at) => at + 1)
  return numbers.flatMap((number) => [`user-${number}`, `${number}x`, `q${number}`]).find(isFree) ?? "user-1"
}
