import { noSegments, type Segments } from "../../compile/definition/segments.ts"
import { addUses, parseFlagUse } from "../../compile/meaning/open-condition.ts"
import { conditionName } from "../../conditions/clause.ts"
import { sharesIn } from "../../conditions/share-range.ts"
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
    return { segmentOf: findName(commonNames(names), others), ruleOf }
  }
}

/** The names in the rules of both sides, by position; none where no rule uses any. */
function namesOfSides(
  before: RuleList | undefined,
  after: RuleList | undefined,
): readonly (readonly NamesInRule[])[] {
  const lists = [before, after]
  const used = new Set(lists.flatMap((list) => [...usesIn(list?.open, list?.segments)]))
  if (used.size === 0) return [[], []]
  const conditions = (name: string) =>
    lists.flatMap((list) => {
      const condition = list?.segments.get(name)?.condition
      return condition === undefined ? [] : [conditionName(condition)]
    })
  const changed = new Set([...used].filter((name) => new Set(conditions(name)).size > 1))
  return lists.map((list) =>
    (list?.rules ?? []).map((rule, at) => {
      const open = list?.open?.slice(at, at + 1)
      const inner = [...usesIn(open, list?.segments)].flatMap((name) =>
        conditions(name).map((condition) => [condition, name] as const),
      )
      const names = [...inner, ...namesInRule(rule, open?.[0]?.condition)]
      return new Map(
        names.map(([condition, name]) => [condition, changed.has(name ?? "") ? undefined : name]),
      )
    }),
  )
}

/** The names of segments in rules, and in the flags that they depend on. */
function usesIn(open: RuleList["open"] = [], segments: Segments = noSegments): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { condition } of open) addUses(condition, names)
  for (const name of names) {
    // Iterating over a set also visits what is added meanwhile.
    const [environment = "", key = ""] = parseFlagUse(name) ?? []
    for (const inner of segments.flags?.get(key)?.uses(environment) ?? []) names.add(inner)
  }
  return names
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
      numbered.set(conditionName(rule), { number, segmentOf: findName(names[at] ?? new Map()) })
    }
  }
  return (condition) => (numbered.size === 0 ? undefined : numbered.get(conditionName(condition)))
}
