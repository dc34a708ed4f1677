import type { Condition } from "../../sdk/evaluation/condition.ts"
import { type Clause, clauseName, type Term } from "./clause.ts"
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
    const texts = [...new Set([...(textsIn(own) ?? []), ...(textsIn(other) ?? [])])]
    const condition = textsCondition(own.condition.attribute, texts) ?? own.condition
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
      return [[JSON.stringify([clause.condition.attribute, ...others.sort()]), clause] as const]
    }),
  )
}

function textsIn({ condition, holds }: Clause): readonly string[] | undefined {
  if (!holds || (condition.operator !== "equals" && condition.operator !== "in")) return undefined
  return condition.operator === "in" ? listOf(condition) : [condition.value]
}

/** A comparison with texts; `undefined` for none. */
export function textsCondition(attribute: string, texts: readonly string[]): Condition | undefined {
  const [only] = texts
  if (only === undefined) return undefined
  return texts.length === 1
    ? { attribute, operator: "equals", value: only }
    : { attribute, operator: "in", value: JSON.stringify(texts) }
}
