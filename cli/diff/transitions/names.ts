import { meaningIn, noSegments, type Segments } from "../../compile/definition/segments.ts"
import { conditionName } from "../../conditions/clause.ts"
import { sharesIn } from "../../conditions/share-range.ts"
import type { Reference } from "../../language/condition.ts"
import { createEncode } from "../../language/encode.ts"
import { distinct, referenceName, referencesIn } from "../../language/references.ts"
import {
  type ConditionNames,
  commonNames,
  findName,
  type NamesInRule,
  type NumberedRule,
  namesInRule,
} from "../../phrases/condition-names.ts"
import type { RuleList } from "../differences/match-rules.ts"
import type { WrittenRule } from "../differences/written-rules.ts"
import type { Move } from "./moves.ts"
import { noOutcome, type Outcome } from "./outcomes.ts"

/** The names used in sentences about some moves. */
export type NamesFor = (moves: readonly Pick<Move, "before" | "after">[]) => ConditionNames

/** A side of a flag in an environment. */
interface NamedSide {
  /** `undefined`: the flag is not configured. */
  readonly list: RuleList | undefined
  readonly outcomes: readonly Outcome[]
}

/**
 * Names conditions as the rules between which users move do, and conditions of other rules as those rules do. A segment that
 * changed has no name.
 */
export function createNames(
  before: NamedSide,
  after: NamedSide,
  moves: readonly Move[],
  written: readonly WrittenRule[],
): NamesFor {
  const [namesBefore = [], namesAfter = []] = namesOfSides(before.list, after.list)
  const others = commonNames([...namesBefore, ...namesAfter])
  const ruleOf = rulesOf(before.outcomes, after.outcomes, moves, written, namesAfter)
  return (own) => {
    // A rule before the change and after it is one rule: a name on one side is enough.
    const names = own.map(({ before: from, after: to }) => {
      const both = [...(namesBefore[from.at] ?? []), ...(namesAfter[to.at] ?? [])]
      return new Map(
        both.toSorted(([, one], [, other]) => Number(one !== undefined) - Number(other !== undefined)),
      )
    })
    return { referenceOf: findName(commonNames(names), others), ruleOf }
  }
}

/** The names in the rules of both sides, by position; none where no rule uses any. */
function namesOfSides(
  before: RuleList | undefined,
  after: RuleList | undefined,
): readonly (readonly NamesInRule[])[] {
  const lists = [before, after]
  const used = distinct(lists.flatMap((list) => usesIn(list?.unencoded, list?.segments)))
  if (used.length === 0) return [[], []]
  const conditions = new Map(
    used.map((reference) => [
      referenceName(reference),
      lists.flatMap((list) => (list === undefined ? [] : sentFor(reference, list.segments))),
    ]),
  )
  const hasChanged = (reference: Reference) => new Set(conditions.get(referenceName(reference))).size > 1
  return lists.map((list) =>
    (list?.rules ?? []).map((rule, at) => {
      const unencoded = list?.unencoded?.slice(at, at + 1)
      const inner = usesIn(unencoded, list?.segments).flatMap((reference) =>
        (conditions.get(referenceName(reference)) ?? []).map((condition) => [condition, reference] as const),
      )
      const names = [...inner, ...namesInRule(rule, unencoded?.[0]?.condition)]
      return new Map(
        names.map(([condition, reference]) => [
          condition,
          reference !== undefined && hasChanged(reference) ? undefined : reference,
        ]),
      )
    }),
  )
}

/** The name of what is sent for a reference; empty if nothing is. */
function sentFor(reference: Reference, segments: Segments): readonly string[] {
  const condition = meaningIn(segments)(reference)
  const encoded = condition && createEncode(undefined)(condition)
  return encoded === undefined ? [] : [conditionName(encoded)]
}

/** The references in rules, and in the flags that they depend on. */
function usesIn(rules: RuleList["unencoded"] = [], segments: Segments = noSegments): readonly Reference[] {
  const found = new Map<string, Reference>()
  const add = (reference: Reference) => {
    const name = referenceName(reference)
    if (!found.has(name)) found.set(name, reference)
  }
  for (const { condition } of rules) referencesIn(condition).forEach(add)
  for (const reference of found.values()) {
    // Iterating over a map also visits what is added meanwhile.
    if (reference.kind !== "flag") continue
    segments.flags?.get(reference.key)?.uses(reference.environment).forEach(add)
  }
  return [...found.values()]
}

/**
 * Numbers the rules that are the same on both sides and come before each move on both, or on neither. A rule with shares
 * is described by them instead.
 */
function rulesOf(
  before: readonly Outcome[],
  after: readonly Outcome[],
  moves: readonly Move[],
  written: readonly WrittenRule[],
  names: readonly NamesInRule[],
): ConditionNames["ruleOf"] {
  const isNew = before[0] === noOutcome
  const places = new Map(before.map(({ name, value, at }) => [`${value} ${name}`, at]))
  const numbered = new Map<string, NumberedRule>()
  for (const { rule, name, value, at } of after) {
    const from = isNew ? at : places.get(`${value} ${name}`)
    if (rule === undefined || from === undefined || sharesIn(rule).length > 0) continue
    if (isNew || moves.every((move) => from < move.before.at === at < move.after.at)) {
      const number = written[at]?.number ?? at + 1
      numbered.set(conditionName(rule), { number, referenceOf: findName(names[at] ?? new Map()) })
    }
  }
  return (condition) => (numbered.size === 0 ? undefined : numbered.get(conditionName(condition)))
}
