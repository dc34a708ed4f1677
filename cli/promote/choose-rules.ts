import { newRule, type WrittenRule } from "../edit/written-rules.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { always, type Share } from "../language/condition.ts"
import { type Fields, fieldsOf, shareOf } from "../language/written-condition.ts"

/** The share of users that a promotion starts with: `to` is above 0 and below 100. */
export type FirstShare = Pick<Share, "by" | "to">

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
  readonly share: FirstShare | undefined
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
  const take = (rule: WrittenRule, textOf: (fields: Fields) => string) => {
    const text = textOf(rule.fields)
    const found = [...free].find(({ fields }) => textOf(fields) === text)
    if (found !== undefined) free.delete(found)
    return found
  }
  const equal = source.map((rule) => take(rule, canonicalJson))
  const counterparts = source.map((rule, at) => equal[at] ?? take(rule, withoutShares))
  const isSplit = ({ fields }: WrittenRule) => "split" in fields
  const chosen = source.map((rule, at): WrittenRule => {
    const counterpart = counterparts[at]
    const comments = counterpart?.comments.length ? counterpart.comments : rule.comments
    if (equal[at] !== undefined && (share === undefined || isOn)) return equal[at]
    return share === undefined || isSplit(rule)
      ? { ...rule, comments }
      : newRule(narrowed(rule.fields, counterpart?.fields, share), { ...rule, comments })
  })
  if (share !== undefined && chosen.some((rule) => isSplit(rule) && !target.includes(rule))) return undefined
  const own = target.filter((rule) => free.has(rule))
  if (!append) return { rules: chosen, own }
  const inPlace = target.map((rule) => chosen[counterparts.indexOf(rule)] ?? rule)
  return { rules: [...inPlace, ...chosen.filter((_, at) => counterparts[at] === undefined)], own }
}

/** The parts of a rule that must all be true, with shares and other conditions separated. */
function partsOf({ id: _, returnValue = null, ...condition }: Fields) {
  const all = Array.isArray(condition.all) ? (condition.all as readonly Fields[]) : [condition]
  const parts = all
    .filter(({ operator }) => operator !== always.operator)
    .map((fields) => ({ fields, share: shareOf(fields) }))
  return {
    returnValue,
    conditions: parts.flatMap(({ fields, share }) => (share === undefined ? [fields] : [])),
    shares: parts.flatMap(({ fields, share }) => (share === undefined ? [] : [{ fields, share }])),
  }
}

/** Text that is equal for rules that differ only in their ids and shares. */
function withoutShares(rule: Fields): string {
  const { returnValue, conditions } = partsOf(rule)
  return canonicalJson([conditions, returnValue])
}

/**
 * The rule, limited to a share of its users. If the rule, or else the target's, already has a share by the same
 * attribute, the new one starts where that share starts and uses its seed, so that it can grow from there.
 */
function narrowed(rule: Fields, counterpart: Fields | undefined, { by, to }: FirstShare): Fields {
  const { returnValue, conditions, shares } = partsOf(rule)
  const known = [...shares, ...(counterpart === undefined ? [] : partsOf(counterpart).shares)]
  const { from = 0, seed } = known.find(({ share }) => share.by === by)?.share ?? {}
  const grows = ({ share }: { readonly share: Share }) =>
    share.by === by && share.from === from && share.seed === seed
  const ends = shares.filter(grows).map(({ share }) => share.to)
  const end = Math.min(100, Number((from + to).toFixed(3)), ...ends)
  const kept = shares.filter((part) => !grows(part)).map(({ fields }) => fields)
  const parts = [...conditions, ...kept, fieldsOf({ kind: "share", by, from, to: end, seed })]
  const condition = parts.length === 1 ? parts[0] : { all: parts }
  return { ...(rule.id !== undefined && { id: rule.id }), ...condition, returnValue }
}
