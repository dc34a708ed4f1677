import type { Condition } from "../../sdk/evaluation/condition.ts"
import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { type Clause, clauseName, type Term } from "./clause.ts"
import { ignoringCase, withCase } from "./ignoring-case.ts"
import { listOf } from "./list.ts"

/** Joins terms that differ only in the strings of one attribute into one with a list. */
export function mergeLists(terms: readonly Term[]): readonly Term[] {
  const merged: Term[] = []
  const places = new Map<string, number>()
  for (const term of terms) {
    const keys = [...keysOf(term).keys()]
    const key = keys.find((one) => keysOf(merged[places.get(one) ?? -1] ?? []).has(one))
    const at = key === undefined ? merged.length : (places.get(key) ?? merged.length)
    const [own, other] = [keysOf(merged[at] ?? []).get(key ?? ""), keysOf(term).get(key ?? "")]
    if (own === undefined || other === undefined) {
      merged.push(term)
      for (const one of keys) places.set(one, at)
      continue
    }
    const texts = [...(textsIn(own) ?? []), ...(textsIn(other) ?? [])]
    const condition = textsCondition(own.condition, texts) ?? own.condition
    merged[at] = (merged[at] ?? []).map((clause) => (clause === own ? { condition, holds: true } : clause))
  }
  return merged
}

/** The clauses that are lists of strings, by the rest of their term. */
function keysOf(term: Term): ReadonlyMap<string, Clause> {
  return new Map(
    term.flatMap((clause) => {
      if (textsIn(clause) === undefined) return []
      const others = term.flatMap((one) => (one === clause ? [] : [clauseName(one)]))
      const { attribute, operator } = clause.condition
      return [[JSON.stringify([attribute, ignoresCase(operator), ...others.sort()]), clause] as const]
    }),
  )
}

function textsIn({ condition, holds }: Clause): readonly string[] | undefined {
  return holds ? textsOf(condition) : undefined
}

/** The strings of which an attribute must be one; `undefined` for any other comparison. */
function textsOf(condition: Condition): readonly string[] | undefined {
  if (isOneOf(condition)) return listOf(condition)
  return withCase(condition.operator) === "equals" ? [condition.value] : undefined
}

/** Whether an attribute must be one of the strings of a list. */
export function isOneOf({ operator }: Condition): boolean {
  return withCase(operator) === "in"
}

/** A comparison with other texts that ignores case if `like` does; `undefined` for none. */
export function textsCondition(
  { attribute, operator: like }: Condition,
  texts: readonly string[],
): Condition | undefined {
  const isBlind = ignoresCase(like)
  const named = (name: string) => (isBlind ? ignoringCase(name) : name)
  const spellings = Map.groupBy(texts, (text) => (isBlind ? foldCase(text) : text))
  const [only, ...more] = [...spellings.values()].flatMap((alike) => alike.slice(0, 1))
  if (only === undefined) return undefined
  return more.length === 0
    ? { attribute, operator: named("equals"), value: only }
    : { attribute, operator: named("in"), value: JSON.stringify([only, ...more]) }
}

function ignoresCase(operator: string): boolean {
  return withCase(operator) !== operator
}
