import type { Comparison } from "../language/condition.ts"
import { namesTexts, textsOf, withTexts } from "../language/texts.ts"
import { saidName, type Term } from "./clause.ts"

/** Joins terms that differ only in the strings of one attribute into one with a list. */
export function mergeLists(terms: readonly Term[]): readonly Term[] {
  const merged: Term[] = []
  const places = new Map<string, number>()
  for (const term of terms) {
    const keys = [...keysOf(term).keys()]
    const key = keys.find((one) => keysOf(merged[places.get(one) ?? -1] ?? []).has(one))
    const at = key === undefined ? merged.length : (places.get(key) ?? merged.length)
    const [into, from] = [keysOf(merged[at] ?? []).get(key ?? ""), keysOf(term).get(key ?? "")]
    if (into === undefined || from === undefined) {
      merged.push(term)
      for (const one of keys) places.set(one, at)
      continue
    }
    const condition = withTexts(into, [...textsOf(into), ...textsOf(from)]) ?? into
    merged[at] = (merged[at] ?? []).map((clause) =>
      clause.condition === into ? { condition, holds: true } : clause,
    )
  }
  return merged
}

/** The comparisons with lists of strings, by the rest of their term. */
function keysOf(term: Term): ReadonlyMap<string, Comparison> {
  return new Map(
    term.flatMap((clause) => {
      const { condition, holds } = clause
      if (!holds || !namesTexts(condition)) return []
      const others = term.flatMap((one) => (one === clause ? [] : [saidName(one)]))
      const way = [condition.attribute, condition.ignoreCase]
      return [[JSON.stringify([...way, ...others.sort()]), condition] as const]
    }),
  )
}
