import type { Condition } from "../../sdk/evaluation/condition.ts"
import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { isAnyOf, namesTexts, textsOf } from "../language/comparisons.ts"
import { operatorOf } from "../language/operators.ts"
import { type Clause, clauseName, type Term } from "./clause.ts"

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
      const way = [attribute, operatorOf(operator)?.ignoresCase]
      return [[JSON.stringify([...way, ...others.sort()]), clause] as const]
    }),
  )
}

function textsIn({ condition, holds }: Clause): readonly string[] | undefined {
  return holds && namesTexts(condition) ? textsOf(condition) : undefined
}

/** A comparison with other texts in the way of `like`; `undefined` for none. */
export function textsCondition(
  { attribute, operator }: Condition,
  texts: readonly string[],
): Condition | undefined {
  const ignoresCase = operatorOf(operator)?.ignoresCase === true
  const spellings = Map.groupBy(texts, (text) => (ignoresCase ? foldCase(text) : text))
  const [first, ...others] = [...spellings.values()].flatMap((alike) => alike.slice(0, 1))
  return first === undefined ? undefined : isAnyOf(attribute, [first, ...others], ignoresCase)
}
