import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Stage } from "../diagnostics/moment-words.ts"
import {
  always,
  type Comparison,
  type Condition,
  fold,
  type Group,
  groups,
  isNever,
  isRamp,
  never,
  type Reference,
  visit,
} from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import { operators } from "../language/operators.ts"
import { activeRules, type ReadCondition } from "./outcomes.ts"

/** A time, and where contexts have it. */
export interface Clock {
  /** The attribute that has it. */
  readonly attribute: string
  /** In milliseconds since the epoch. */
  readonly now: number
}

/** A clock, or where it would be: `now` is `undefined` for contexts without a time. */
export interface MaybeClock extends Pick<Clock, "attribute"> {
  readonly now: number | undefined
}

/**
 * The moments from which on flags may give something else in an environment, because a rule compares the time with them: first
 * now, then those to come, in order. Empty if none of them does: the time makes no difference.
 */
export function momentsIn(flags: readonly Flag[], environment: string, clock: Clock): readonly number[] {
  const conditions = flags.flatMap((flag) =>
    activeRules(flag, environment).flatMap(({ condition }) => [...visit(condition, "meanings")]),
  )
  return momentsOf(
    conditions.filter((part) => part.kind === "comparison"),
    clock,
  )
}

/** The same for comparisons. */
export function momentsOf(comparisons: readonly Compared[], { attribute, now }: Clock): readonly number[] {
  const bounds = comparisons.flatMap((comparison) => boundOf(comparison, attribute)?.from ?? [])
  const later = new Set(bounds.filter((from) => from > now))
  return bounds.length === 0 ? [] : [now, ...[...later].sort((a, b) => a - b)]
}

type Compared = Pick<Comparison, "attribute" | "operator" | "operand">

/** The same reading of conditions for users whose time is `now`, or who have none. Their conditions no longer ask for it. */
export function readAt(read: ReadCondition, clock: MaybeClock): ReadCondition {
  return (condition, flag) => conditionAt(read(condition, flag), clock)
}

/** The same reading with each ramp as it is then. Only ramps read the time: a rule of another kind may be for some times alone. */
export function readRampsAt(read: ReadCondition, clock: Clock): ReadCondition {
  return (condition, flag) =>
    inTime(
      read(condition, flag),
      (ramp) => conditionAt(ramp, clock),
      (node) => node,
    )
}

/** The condition for users whose time is `now`, or who have none: it no longer asks for it. */
export function conditionAt(condition: Condition, { attribute, now }: MaybeClock): Condition {
  // The stages of a ramp are within each other, so the last that has begun has all users.
  const lastBegun = (_: Group, stages: readonly Condition[]) =>
    stages.findLast((stage) => !isNever(stage)) ?? never
  return inTime(condition, lastBegun, (node) => {
    const bound = boundOf(node, attribute)
    if (bound === undefined) return node
    return now !== undefined && now >= bound.from === bound.isLater ? always : never
  })
}

/** The condition with each ramp and each comparison replaced, also in what its references mean. */
function inTime(
  condition: Condition,
  rampAt: (ramp: Group, stages: readonly Condition[]) => Condition,
  comparisonAt: (comparison: Comparison) => Condition,
): Condition {
  return fold(
    condition,
    (node, parts: readonly Condition[]): Condition => {
      if ("parts" in node) return node.ramp === undefined ? groups[node.kind](...parts) : rampAt(node, parts)
      if (node.kind === "comparison") return comparisonAt(node)
      return node.kind === "share" ? node : { ...node, means: parts[0] }
    },
    "meanings",
  )
}

/** A ramp that a rule uses, with its stages in order. */
export interface RampInRule {
  /** Its number in its file; in a document, its id. */
  readonly rule: number | string
  /** The segment or flag that has the ramp; absent: the rule itself. */
  readonly of?: Pick<Reference, "kind"> & { readonly name: string }
  readonly stages: readonly Stage[]
}

/** The ramps on which an environment's rules depend. Arms of a split have the ramp beside it in common. */
export function rampsIn(flag: Flag, environment: string): readonly RampInRule[] {
  const rules = activeRules(flag, environment)
  return rules.flatMap(({ condition, item, number }, at) =>
    rules[at - 1]?.item === item ? [] : rampsOf(condition).map((ramp) => ({ ...ramp, rule: number })),
  )
}

function rampsOf(condition: Condition, of?: RampInRule["of"]): readonly Omit<RampInRule, "rule">[] {
  return [...visit(condition)].flatMap((part) => {
    if (part.kind === "segment" || part.kind === "flag") {
      const name = part.kind === "flag" ? part.key : part.name
      return part.means === undefined ? [] : rampsOf(part.means, { kind: part.kind, name })
    }
    if (!isRamp(part)) return []
    const stages = part.ramp.stages.map(({ at, share }) => ({ from: parseMoment(at) ?? Number.NaN, share }))
    return [{ ...(of && { of }), stages }]
  })
}

/** When the answer of a comparison with the time changes, and whether users match from then on, or until then. */
export function boundOf(
  { attribute, operator, operand }: Compared,
  clock: string,
): { readonly from: number; readonly isLater: boolean } | undefined {
  const question = operators.get(operator)?.question
  if (attribute !== clock || question?.kind !== "bound" || question.order !== "moment") return undefined
  const moment = typeof operand === "string" ? parseMoment(operand) : undefined
  if (moment === undefined) return undefined
  const isAtOnce = question.isUpper !== question.isInclusive // before, and at or after
  return { from: isAtOnce ? moment : moment + 1, isLater: !question.isUpper }
}
