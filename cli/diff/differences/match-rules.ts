import type { Rule } from "../../../sdk/contract/snapshot.ts"
import type { UnencodedRule } from "../../flag/configuration.ts"
import { sameRule } from "../../flag/same-rule.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Condition, Reference } from "../../language/condition.ts"
import { sameMeaning } from "../../language/encode.ts"
import { distinct, referencesIn, refersToOthers, written } from "../../language/references.ts"
import { meaningIn, type Segments } from "../../reading/segments.ts"
import type { RuleMember } from "./difference.ts"
import { longestRising } from "./longest-rising.ts"

/** The rules of a configuration as on the wire, and before they are encoded if they refer to segments or flags. */
export interface RuleList {
  readonly rules: readonly Rule[]
  /** In the order of the rules; absent if none has references. */
  readonly unencoded?: readonly UnencodedRule[] | undefined
  readonly segments: Segments
}

/** Which rule became which. Positions count from 0. */
export interface RuleMatch {
  readonly pairs: readonly RulePair[]
  readonly added: readonly { readonly to: number; readonly after: Rule }[]
  readonly removed: readonly { readonly from: number; readonly before: Rule }[]
}

export interface RulePair {
  readonly from: number
  readonly to: number
  readonly before: Rule
  readonly after: Rule
  /** Whether its order among the other pairs changed. As few pairs as possible have moved. */
  readonly moved: boolean
  readonly edited: readonly RuleMember[]
  /** The references of a condition that is written as before whose meaning changed; absent if there are none. */
  readonly references?: readonly Reference[]
}

/**
 * Pairs rules with equal ids (made from a rule's content unless its author gave one), then those that do the same, then
 * those whose conditions use segments and are written the same way, then those that resemble each other most, then those that
 * give the same value between the same rules.
 */
export function matchRules(before: RuleList, after: RuleList): RuleMatch {
  if (areAlike(before, after)) return { pairs: unchangedPairs(before, after), added: [], removed: [] }
  const partners = new Map<number, number>()
  const free = new Set(before.rules.keys())
  const pair = (from: number, to: number) => {
    partners.set(to, from)
    free.delete(from)
  }
  const [writtenBefore, writtenAfter] = [writtenConditions(before), writtenConditions(after)]
  const isWrittenAlike = (from: number, to: number) =>
    writtenBefore[from] !== undefined && writtenBefore[from] === writtenAfter[to]
  const changedReferences = (from: number, to: number) => {
    const condition = after.unencoded?.[to]?.condition
    if (condition === undefined || !isWrittenAlike(from, to)) return {}
    const references = changedIn(condition, before.segments, after.segments)
    return references.length === 0 ? {} : { references }
  }
  const pairBy = (isSame: (from: number, to: number) => boolean) => {
    for (const to of [...after.rules.keys()].filter((position) => !partners.has(position))) {
      const from = [...free].find((position) => isSame(position, to))
      if (from !== undefined) pair(from, to)
    }
  }
  pairBy((from, to) => at(before, from).id === at(after, to).id)
  pairBy((from, to) => sameRule(at(before, from), at(after, to)))
  pairBy(isWrittenAlike)
  for (const { from, to } of resemblances(before, after, free, partners)) {
    if (free.has(from) && !partners.has(to)) pair(from, to)
  }
  const [gapsBefore, gapsAfter] = [gapsIn(before, partners.values()), gapsIn(after, partners.keys())]
  if (free.size * after.rules.length <= mostResemblances)
    pairBy(
      (from, to) =>
        gapsBefore[from] === gapsAfter[to] &&
        sameValue(at(before, from).returnValue, at(after, to).returnValue),
    )
  const inOrder = [...partners].sort(([a], [b]) => a - b)
  const stayed = longestRising(inOrder.map(([, from]) => from))
  return {
    pairs: inOrder.map(([to, from]) => ({
      from,
      to,
      before: at(before, from),
      after: at(after, to),
      moved: !stayed.has(from),
      edited: editedMembers(at(before, from), at(after, to)),
      ...changedReferences(from, to),
    })),
    added: [...after.rules.entries()]
      .filter(([to]) => !partners.has(to))
      .map(([to, rule]) => ({ to, after: rule })),
    removed: [...free].map((from) => ({ from, before: at(before, from) })),
  }
}

/** Whether all rules are unchanged and none uses segments, as in most environments. */
function areAlike(before: RuleList, after: RuleList): boolean {
  if (before.unencoded !== undefined || after.unencoded !== undefined) return false
  if (before.rules === after.rules) return true
  return (
    before.rules.length === after.rules.length &&
    before.rules.every((rule, index) =>
      members.every((member) => sameValue(rule[member], at(after, index)[member])),
    )
  )
}

function unchangedPairs({ rules }: RuleList, after: RuleList): readonly RulePair[] {
  return rules.map((before, index) => {
    return { from: index, to: index, before, after: at(after, index), moved: false, edited: [] }
  })
}

/** The conditions that have references or lists in files, as text; `undefined` for the others. */
function writtenConditions({ unencoded = [] }: RuleList): readonly (string | undefined)[] {
  return unencoded.map(({ condition }) =>
    refersToOthers(condition) ? JSON.stringify(written(condition)) : undefined,
  )
}

/** The references in a condition whose meaning changed. */
function changedIn(condition: Condition, before: Segments, after: Segments): readonly Reference[] {
  const [meaningBefore, meaningAfter] = [meaningIn(before), meaningIn(after)]
  return distinct(referencesIn(condition)).filter(
    (reference) => !sameMeaning(meaningBefore(reference), meaningAfter(reference)),
  )
}

/** For each rule, how many rules with a partner come before it. */
function gapsIn({ rules }: RuleList, withPartner: Iterable<number>): readonly number[] {
  const positions = new Set(withPartner)
  let gap = 0
  return rules.map((_, position) => (positions.has(position) ? gap++ : gap))
}

/** Beyond this number, no pair is compared: two long lists that share nothing are two lists, not an edited one. */
const mostResemblances = 250_000

function resemblances(
  before: RuleList,
  after: RuleList,
  free: ReadonlySet<number>,
  partners: ReadonlyMap<number, number>,
) {
  const open = [...after.rules.keys()].filter((to) => !partners.has(to))
  if (open.length * free.size > mostResemblances) return []
  return open
    .flatMap((to) =>
      [...free].map((from) => ({ from, to, score: resemblance(at(before, from), at(after, to)) })),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || Math.abs(a.from - a.to) - Math.abs(b.from - b.to) || a.to - b.to)
}

/** How many members are equal; 0 if they are too few to call both one rule. */
function resemblance(a: Rule, b: Rule): number {
  const equal = 4 - editedMembers(a, b).filter((member) => member !== "id").length
  return equal > 2 || (equal === 2 && a.attribute === b.attribute && a.attribute !== "") ? equal : 0
}

const members = ["id", "attribute", "operator", "value", "returnValue"] as const

function editedMembers(a: Rule, b: Rule): readonly RuleMember[] {
  const edited = members.filter((member) => !sameValue(a[member], b[member]))
  const [content] = edited.filter((member) => member !== "id")
  // A generated id follows the content, so its change adds nothing.
  return content === undefined ? edited : edited.filter((member) => member !== "id")
}

function at({ rules }: RuleList, index: number): Rule {
  return rules[index] as Rule
}
