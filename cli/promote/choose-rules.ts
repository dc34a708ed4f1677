import type { Json } from "../../proxy/contract/snapshot.ts"
import { isAlways, isShare as isShareOperator } from "../../sdk/evaluation/operators.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { newRule, type RuleValue, type WrittenRule } from "./written-rules.ts"

/** The share of users that a promotion starts with. */
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
  /** The target's own rules stay, and those that it lacks come after them. */
  readonly append: boolean
  /** `undefined`: the rules apply to everyone they match. */
  readonly share: Share | undefined
  /** Whether the target is enabled now. Then a share does not narrow the rules that it already has. */
  readonly isOn: boolean
}

/**
 * The source's rules, with the target's text for each rule that is the same. Rules that differ only in their shares
 * count as the same rule. With a share, each rule that the target does not have is limited to it. `undefined`: a split
 * would be limited, and the first part of a split has only one value.
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

/** The parts of a rule that must all be true, with shares and other conditions separated. */
function partsOf({ id: _, returnValue, ...condition }: RuleValue) {
  const all = Array.isArray(condition.all) ? (condition.all as readonly RuleValue[]) : [condition]
  const parts = all.filter(({ operator }) => !isAlways(String(operator)))
  const isShare = ({ operator, share }: RuleValue) => isShareOperator(String(operator)) || share !== undefined
  return { returnValue, conditions: parts.filter((part) => !isShare(part)), shares: parts.filter(isShare) }
}

/** Text that is equal for rules that differ only in their ids and shares. */
function withoutShares(rule: RuleValue): string {
  const { returnValue = null, conditions } = partsOf(rule)
  return canonicalJson([conditions, returnValue])
}

/**
 * The rule, limited to a share of its users. If the rule, or else the target's, already has a share by the same
 * attribute, the new one starts where that share starts and uses its seed, so that it can grow from there.
 */
function narrowed(rule: RuleValue, counterpart: RuleValue | undefined, { by, to }: Share): RuleValue {
  const { returnValue = null, conditions, shares } = partsOf(rule)
  const ranges = shares.map((share) => rangeBy(share, by))
  const all = [
    ...ranges,
    ...(counterpart === undefined ? [] : partsOf(counterpart).shares.map((share) => rangeBy(share, by))),
  ]
  const { from = 0, seed } = all.find((range) => range !== undefined) ?? {}
  const isSame = (range: Range | undefined) => range?.from === from && range.seed === seed
  const ends = ranges.flatMap((range) => (isSame(range) ? (range?.to ?? []) : []))
  const others = shares.filter((_, at) => !isSame(ranges[at]))
  const end = Math.min(100, Number((from + to).toFixed(3)), ...ends)
  const own = { share: { by, ...(from > 0 && { from }), to: end, ...(seed !== undefined && { seed }) } }
  const parts = [...conditions, ...others, own]
  const [only] = parts
  const condition = parts.length === 1 && only !== undefined ? only : { all: parts }
  return { ...("id" in rule && { id: rule.id }), ...condition, returnValue } as RuleValue
}

/** A share by an attribute; `seed` is `undefined` if the flag's key is hashed. */
interface Range {
  readonly from: number
  readonly to: number
  readonly seed: Json | undefined
}

function rangeBy({ attribute, value, share }: RuleValue, by: string): Range | undefined {
  if (attribute === by) return { from: 0, to: Number(value), seed: undefined }
  const { by: other, to, from = 0, seed } = { ...(share as RuleValue | undefined) }
  return other === by ? { from: Number(from), to: Number(to), seed } : undefined
}
