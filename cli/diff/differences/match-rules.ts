import { sameRule } from "../../flag/same-rule.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Condition, Reference } from "../../language/condition.ts"
import { sameMeaning } from "../../language/encode.ts"
import type { Flag, Rule } from "../../language/flag.ts"
import {
  distinct,
  type References,
  referencesIn,
  refersToOthers,
  written,
} from "../../language/references.ts"
import { meaningIn } from "../../reading/references.ts"
import type { RuleMember } from "./difference.ts"

type Rules = readonly Rule[]

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
 * Pairs the rules of a flag in an environment; `undefined` unless it is configured on both sides. Rules with equal ids are
 * pairs (made from a rule's content unless its author gave one), then those that do the same, then those whose conditions use
 * segments and are written the same way, then those that resemble each other most, then those that give the same value
 * between the same rules.
 */
export function matchRules(was: Flag, is: Flag, environment: string): RuleMatch | undefined {
  const [old, now] = [was.configurations.get(environment), is.configurations.get(environment)]
  if (old === undefined || now === undefined) return undefined
  const [before, after] = [old.rules, now.rules]
  const partners = new Map<number, number>()
  const free = new Set(before.keys())
  const pair = (from: number, to: number) => {
    partners.set(to, from)
    free.delete(from)
  }
  const findFree = (isSame: (from: number) => boolean) => {
    for (const from of free) if (isSame(from)) return from
    return undefined
  }
  const [writtenBefore, writtenAfter] = [writtenConditions(before), writtenConditions(after)]
  const isWrittenAlike = (from: number, to: number) =>
    writtenBefore[from] !== undefined && writtenBefore[from] === writtenAfter[to]
  const changedReferences = (from: number, to: number) => {
    if (!isWrittenAlike(from, to)) return {}
    const references = changedIn(at(after, to).condition, was.references, is.references)
    return references.length === 0 ? {} : { references }
  }
  const pairBy = (isSame: (from: number, to: number) => boolean) => {
    for (const to of after.keys()) {
      const from = partners.has(to) ? undefined : findFree((position) => isSame(position, to))
      if (from !== undefined) pair(from, to)
    }
  }
  pairBy((from, to) => at(before, from).sent.id === at(after, to).sent.id)
  pairBy((from, to) => sameRule(at(before, from).sent, at(after, to).sent))
  pairBy(isWrittenAlike)
  for (const { from, to } of resemblances(before, after, free, partners)) {
    if (free.has(from) && !partners.has(to)) pair(from, to)
  }
  const [gapsBefore, gapsAfter] = [gapsIn(before, partners.values()), gapsIn(after, partners.keys())]
  if (free.size * after.length <= mostResemblances)
    pairBy(
      (from, to) =>
        gapsBefore[from] === gapsAfter[to] && sameValue(at(before, from).gives, at(after, to).gives),
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
    added: [...after.entries()]
      .filter(([to]) => !partners.has(to))
      .map(([to, rule]) => ({ to, after: rule })),
    removed: [...free].map((from) => ({ from, before: at(before, from) })),
  }
}

/** The conditions that have references or lists in files, as text; `undefined` for the others. */
function writtenConditions(rules: Rules): readonly (string | undefined)[] {
  return rules.map(({ condition }) =>
    refersToOthers(condition) ? JSON.stringify(written(condition)) : undefined,
  )
}

/** The references in a condition whose meaning changed. */
function changedIn(condition: Condition, before: References, after: References): readonly Reference[] {
  const [meaningBefore, meaningAfter] = [meaningIn(before), meaningIn(after)]
  return distinct(referencesIn(condition)).filter(
    (reference) => !sameMeaning(meaningBefore(reference), meaningAfter(reference)),
  )
}

/** For each rule, how many rules with a partner come before it. */
function gapsIn(rules: Rules, withPartner: Iterable<number>): readonly number[] {
  const positions = new Set(withPartner)
  let gap = 0
  return rules.map((_, position) => (positions.has(position) ? gap++ : gap))
}

/** Beyond this number, no pair is compared: two long lists that share nothing are two lists, not an edited one. */
const mostResemblances = 250_000

function resemblances(
  before: Rules,
  after: Rules,
  free: ReadonlySet<number>,
  partners: ReadonlyMap<number, number>,
) {
  const open = [...after.keys()].filter((to) => !partners.has(to))
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
  const [{ attribute }, other] = [a.sent, b.sent]
  return equal > 2 || (equal === 2 && attribute === other.attribute && attribute !== "") ? equal : 0
}

const members = ["id", "attribute", "operator", "value", "returnValue"] as const

function editedMembers(a: Rule, b: Rule): readonly RuleMember[] {
  const edited = members.filter((member) => !sameValue(a.sent[member], b.sent[member]))
  const [content] = edited.filter((member) => member !== "id")
  // A generated id follows the content, so its change adds nothing.
  return content === undefined ? edited : edited.filter((member) => member !== "id")
}

function at(rules: Rules, index: number): Rule {
  return rules[index] as Rule
}

/** A longest rising subsequence of distinct numbers. */
function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [] // by length, the smallest number that ends a rising run of that length
  const previous = new Map<number, number | undefined>()
  for (const number of numbers) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous.set(number, ends[low - 1])
    ends[low] = number
  }
  const run = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) run.add(number)
  return run
}
