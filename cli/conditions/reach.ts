import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { type Doubt, none, unknown } from "./answer.ts"
import { type ContextSet, complement, everything, intersection, nothing } from "./context-set.ts"
import { findObjectOrList, type Literals, type Shapes } from "./value.ts"
import { findIn, isIn, narrow, type Region, type SearchOptions, wholeRegion } from "./witness.ts"
import { createWork, stepsForFlag, type Work } from "./work.ts"

/**
 * Whether a rule can be the first to match. `shadows` are the positions of earlier rules that together match all that it
 * matches, and each of them is needed. If the rule matches nothing, there are none.
 */
export type Reach =
  /** The witness is a context that the rule is the first to match. */
  | { readonly kind: "reached"; readonly witness: Context }
  /** Only contexts with a list or an object reach it; the shadows match all others. */
  | { readonly kind: "reachedByLists"; readonly witness: Context; readonly shadows: readonly number[] }
  | { readonly kind: "unreachable"; readonly shadows: readonly number[] }
  | { readonly kind: "unknown"; readonly because: Doubt }

/** A rule may take this many times its even share of the remaining steps, but never more than half of them. */
const unevenness = 16

/** Returns for each rule, in order, whether some context reaches it. */
export function reachOf(rules: readonly ContextSet[], steps = stepsForFlag): readonly Reach[] {
  const work = createWork(steps)
  const refusedBefore: Literals[] = []
  const left = { plain: createRemainder(rules, "plain", refusedBefore), any: createRemainder(rules, "any") }
  return rules.map((rule, at): Reach => {
    if (work.isSpent) return unknown("bound")
    const own = work.share(Math.min(0.5, unevenness / (rules.length - at)))
    const find = (shapes: Shapes, refused?: Literals[]) => {
      const options = { shapes, work: own, refused }
      return findIn(narrow(left[shapes](at, work), rule, options), options)
    }
    const refused: Literals[] = []
    const plain = find("plain", refused)
    if (plain.kind === "found") return { kind: "reached", witness: plain.value }
    if (plain.kind === "unknown") return plain
    const any = canListsHelp([...refusedBefore, ...refused], own) ? find("any") : none
    if (any.kind === "unknown") return any
    if (any.kind === "none") return { kind: "unreachable", shadows: shadowsOf(rules, at, "any", own) }
    return { kind: "reachedByLists", witness: any.value, shadows: shadowsOf(rules, at, "plain", own) }
  })
}

/**
 * Whether a search that found no user with plain values might find one with a list or an object: only if one of these
 * fits an attribute for which the search found no value.
 */
export function canListsHelp(refused: readonly Literals[], work: Work): boolean {
  return refused.some((literals) => findObjectOrList(literals, none, work).kind !== "none")
}

/** The contexts that no rule before a position matches. Positions must increase, because each call builds on the last. */
function createRemainder(rules: readonly ContextSet[], shapes: Shapes, refused?: Literals[]) {
  let region: Region = wholeRegion
  let done = 0
  return (at: number, work: Work): Region => {
    if (done < at) {
      const passed = rules.slice(done, at).map(complement)
      region = narrow(region, intersection(...passed), { shapes, work, refused })
      done = at
    }
    return region
  }
}

/** Each shadow is found by a context that the ones before it let through. If the steps run out, all earlier rules are named. */
function shadowsOf(rules: readonly ContextSet[], at: number, shapes: Shapes, work: Work): readonly number[] {
  const options = { shapes, work }
  const whole = narrow(wholeRegion, rules[at] ?? nothing, options)
  const without = (region: Region, shadow: number) =>
    narrow(region, complement(rules[shadow] ?? nothing), options)
  const shadows: number[] = []
  let region = whole
  for (;;) {
    const answer = findIn(region, options)
    if (answer.kind === "none") break
    let next: number | undefined
    for (let one = 0; answer.kind === "found" && one < at; one++) {
      if (!isIn(rules[one] ?? nothing, answer.value, work)) continue
      next ??= one
      if (shadows.length > 0) break
      if (findIn(without(whole, one), options).kind === "none") return [one]
    }
    if (next === undefined) return Array.from({ length: at }, (_, one) => one)
    shadows.push(next)
    region = without(region, next)
  }
  let needed: readonly number[] = shadows
  for (const shadow of shadows.toReversed()) {
    const others = needed.filter((other) => other !== shadow)
    if (findIn(others.reduce(without, whole), options).kind === "none") needed = others
  }
  return needed.toSorted((a, b) => a - b)
}

/**
 * Whether a user whom a rule decides for would get a different value without it; `undefined` if that is not known. The last
 * value is the default.
 */
export function changesValue(
  rules: readonly ContextSet[],
  values: readonly string[],
  at: number,
  work: Work,
): boolean | undefined {
  const options: SearchOptions = { shapes: "any", work }
  const passed = rules.slice(0, at).map(complement)
  let region = narrow(wholeRegion, intersection(rules[at] ?? nothing, ...passed), options)
  for (let below = at + 1; below < values.length && !region.isEmpty; below++) {
    const rule = rules[below] ?? everything
    if (values[below] !== values[at]) {
      const answer = findIn(narrow(region, rule, options), options)
      if (answer.kind !== "none") return answer.kind === "found" ? true : undefined
    }
    region = narrow(region, complement(rule), options)
  }
  return false
}
