import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "./answer.ts"
import { type ContextSet, complement, intersection } from "./context-set.ts"
import type { Shapes } from "./value.ts"
import { findContext, findIn, narrow, type Region, wholeRegion } from "./witness.ts"
import { createWork, type Work } from "./work.ts"

/** Whether a rule can be the first to match. */
export type Reach =
  | {
      readonly kind: "reached"
      /** A context that the rule is the first to match. */
      readonly witness: Context
      /** Whether only contexts with a list or an object reach it. */
      readonly needsList: boolean
    }
  /** `shadows`: positions of earlier rules that together match all that it matches; none where nothing matches it. */
  | { readonly kind: "unreachable"; readonly shadows: readonly number[] }
  | { readonly kind: "unknown"; readonly because: Doubt }

/** Steps for all rules of a flag together, and the most that one rule may take of what is left. */
const stepsForAll = 2_000_000
const shareOfOne = 0.25

/** Says of each rule, in their order, whether some context reaches it. */
export function reachOf(rules: readonly ContextSet[], steps = stepsForAll): readonly Reach[] {
  const work = createWork(steps)
  const left = { plain: createRemainder(rules, "plain"), any: createRemainder(rules, "any") }
  return rules.map((rule, at): Reach => {
    const own = work.share(shareOfOne)
    for (const shapes of ["plain", "any"] as const) {
      const options = { shapes, work: own }
      const answer = findIn(narrow(left[shapes](at, own), rule, options), options)
      if (answer.kind === "found")
        return { kind: "reached", witness: answer.value, needsList: shapes === "any" }
      if (answer.kind === "unknown") return answer
    }
    return { kind: "unreachable", shadows: shadowsOf(rules, at, own) }
  })
}

/** What no rule before a position matches. It grows with the positions, which have to rise. */
function createRemainder(rules: readonly ContextSet[], shapes: Shapes) {
  let region: Region = wholeRegion
  let done = 0
  return (at: number, work: Work): Region => {
    if (done < at) {
      const passed = rules.slice(done, at).map(complement)
      region = narrow(region, intersection(...passed), { shapes, work })
      done = at
    }
    return region
  }
}

/** Few earlier rules that together shadow the rule: one if that is enough, else none of them can be left out. */
function shadowsOf(rules: readonly ContextSet[], at: number, work: Work): readonly number[] {
  const options = { shapes: "any", work } as const
  const rule = rules[at] ?? intersection()
  const region = narrow(wholeRegion, rule, options)
  const isShadowed = (by: readonly number[]) =>
    findIn(narrow(region, intersection(...by.map((one) => complement(rules[one] ?? rule))), options), options)
      .kind === "none"
  if (isShadowed([])) return []
  const earlier = [...rules.keys()].slice(0, at)
  const single = earlier.find((one) => isShadowed([one]))
  return single === undefined ? minimize([], earlier, isShadowed) : [single]
}

/** The least part of `candidates` that with `base` shadows, by halves (Junker's QuickXplain). */
function minimize(
  base: readonly number[],
  candidates: readonly number[],
  isShadowed: (by: readonly number[]) => boolean,
  isBaseNew = false,
): readonly number[] {
  if (isBaseNew && isShadowed(base)) return []
  if (candidates.length <= 1) return candidates
  const middle = candidates.length >> 1
  const [first, second] = [candidates.slice(0, middle), candidates.slice(middle)]
  const fromSecond = minimize([...base, ...first], second, isShadowed, first.length > 0)
  const fromFirst = minimize([...base, ...fromSecond], first, isShadowed, fromSecond.length > 0)
  return [...fromFirst, ...fromSecond]
}

/** Whether a context set has no member; `undefined` where that is not known. */
export function isEmpty(set: ContextSet, steps = stepsForAll): boolean | undefined {
  const answer = findContext(set, { shapes: "any", work: createWork(steps) })
  return answer.kind === "unknown" ? undefined : answer.kind === "none"
}
