import type { Json } from "../../proxy/contract/snapshot.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { newRule, type RuleValue, type WrittenRule } from "./written-rules.ts"

/** The part of the people with whom a promotion begins. */
export interface Share {
  readonly by: string
  /** In percent, above 0 and below 100. */
  readonly to: number
}

/** What the rules of the target become. */
export interface ChosenRules {
  readonly rules: readonly WrittenRule[]
  /** Rules of the target that the source does not have. They are in `rules` only if they are kept. */
  readonly own: readonly WrittenRule[]
}

/** How rules are chosen. */
export interface Choice {
  /** The target's own rules stay, and those that it lacks come behind them. */
  readonly append: boolean
  /** `undefined`: everyone gets what the rules say. */
  readonly share: Share | undefined
  /** Whether the target's rules apply to people today, so that a share takes them from nobody. */
  readonly isOn: boolean
}

/**
 * The source's rules, with the target's text wherever a rule says the same. Rules that differ only in their shares are the
 * same rule on its way. With a share, each rule that the target does not have as it is asks for it, too.
 * `undefined`: a share of a split was asked for, whose first part would be of its first value alone.
 */
export function chooseRules(
  source: readonly WrittenRule[],
  target: readonly WrittenRule[],
  { append, share, isOn }: Choice,
): ChosenRules | undefined {
  const free = new Set(target)
  const take = (rule: WrittenRule, textOf: (value: RuleValue) => string) => {
    const text = textOf(rule.value)
    const found = [...free].find(({ value }) => textOf(value) === text)
    if (found !== undefined) free.delete(found)
    return found
  }
  const equal = source.map((rule) => take(rule, canonicalJson))
  const counterparts = source.map((rule, at) => equal[at] ?? take(rule, withoutShares))
  const isSplit = ({ value }: WrittenRule) => "split" in value
  const chosen = source.map((rule, at): WrittenRule => {
    const counterpart = counterparts[at]
    const comments = counterpart?.comments.length ? counterpart.comments : rule.comments
    if (equal[at] !== undefined && (share === undefined || isOn)) return equal[at]
    return share === undefined || isSplit(rule)
      ? { ...rule, comments }
      : newRule(narrowed(rule.value, counterpart?.value, share), { ...rule, comments })
  })
  if (share !== undefined && chosen.some((rule) => isSplit(rule) && !target.includes(rule))) return undefined
  const own = target.filter((rule) => free.has(rule))
  if (!append) return { rules: chosen, own }
  const inPlace = target.map((rule) => chosen[counterparts.indexOf(rule)] ?? rule)
  return { rules: [...inPlace, ...chosen.filter((_, at) => counterparts[at] === undefined)], own }
}

/** A rule apart: its conditions that all hold, without those that are shares of people. */
function partsOf({ id: _, returnValue, ...condition }: RuleValue) {
  const all = Array.isArray(condition.all) ? (condition.all as readonly RuleValue[]) : [condition]
  const parts = all.filter(({ operator }) => operator !== "always")
  const isShare = ({ operator, share }: RuleValue) => operator === "percentage" || share !== undefined
  return { returnValue, conditions: parts.filter((part) => !isShare(part)), shares: parts.filter(isShare) }
}

/** Text that is equal for rules that differ only in their ids and shares. */
function withoutShares(rule: RuleValue): string {
  const { returnValue = null, conditions } = partsOf(rule)
  return canonicalJson([conditions, returnValue])
}

/**
 * The rule for a share of the people whom it is for: a smaller part of the share that it has by the same attribute, if any.
 * People are dealt by the seed of that share or, where there is none, by that of the target's share, which so grows.
 */
function narrowed(rule: RuleValue, counterpart: RuleValue | undefined, { by, to }: Share): RuleValue {
  const { returnValue = null, conditions, shares } = partsOf(rule)
  const all = [...shares, ...(counterpart === undefined ? [] : partsOf(counterpart).shares)]
  const seed = all.flatMap((share) => startOf(share, by) ?? [])[0]?.seed
  const starts = shares.map((share) => [startOf(share, by), share] as const)
  const isSame = (start: Start | undefined) => start !== undefined && start.seed === seed
  const smallest = Math.min(to, ...starts.flatMap(([start]) => (start && isSame(start) ? start.to : [])))
  const others = starts.flatMap(([start, share]) => (isSame(start) ? [] : [share]))
  const own = { share: { by, to: smallest, ...(seed !== undefined && { seed }) } }
  const parts = [...conditions, ...others, own]
  const [only] = parts
  const condition = parts.length === 1 && only !== undefined ? only : { all: parts }
  return { ...("id" in rule && { id: rule.id }), ...condition, returnValue } as RuleValue
}

/** A share that begins at 0; its `seed` is `undefined` where the flag's key deals people. */
interface Start {
  readonly to: number
  readonly seed: Json | undefined
}

function startOf({ attribute, value, share }: RuleValue, by: string): Start | undefined {
  if (attribute === by) return { to: Number(value), seed: undefined }
  const { by: other, to, from = 0, seed } = { ...(share as RuleValue | undefined) }
  return other === by && from === 0 ? { to: Number(to), seed } : undefined
}
