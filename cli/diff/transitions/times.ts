import { parseMoment } from "../../../sdk/evaluation/moment.ts"
import { activeRules, type ReadCondition } from "../../flag/outcomes.ts"
import {
  all,
  always,
  any,
  type Comparison,
  type Condition,
  fold,
  isNever,
  never,
  none,
  visit,
} from "../../language/condition.ts"
import type { Flag } from "../../language/flag.ts"
import { operators } from "../../language/operators.ts"

/** The time in a diff. */
export interface Clock {
  /** The attribute that has it. */
  readonly attribute: string
  /** From when on a diff looks, in milliseconds since the epoch. */
  readonly now: number
}

/**
 * The moments from which on flags may give something else in an environment, because a rule compares the time with them: first
 * now, then those to come, in order. Empty if none of them does: the time makes no difference.
 */
export function momentsIn(
  flags: readonly Flag[],
  environment: string,
  { attribute, now }: Clock,
): readonly number[] {
  const found = new Set<number>()
  let isTimed = false
  for (const flag of flags)
    for (const { condition } of activeRules(flag, environment))
      for (const part of visit(condition, "meanings")) {
        const bound = part.kind === "comparison" ? boundOf(part, attribute) : undefined
        if (bound === undefined) continue
        isTimed = true
        if (bound.from > now) found.add(bound.from)
      }
  return isTimed ? [now, ...[...found].sort((a, b) => a - b)] : []
}

/** The same reading of conditions for users whose time is `now`. Their conditions no longer ask for it. */
export function readAt(read: ReadCondition, { attribute, now }: Clock): ReadCondition {
  return (condition, flag) =>
    fold(
      read(condition, flag),
      (node, parts: readonly Condition[]): Condition => {
        if (node.kind === "comparison") {
          const bound = boundOf(node, attribute)
          if (bound === undefined) return node
          return now >= bound.from === bound.isLater ? always : never
        }
        if ("parts" in node) return node.ramp === undefined ? groups[node.kind](...parts) : lastBegun(parts)
        if (node.kind === "share") return node
        return { ...node, means: parts[0] }
      },
      "meanings",
    )
}

const groups = { all, any, none }

/** The stages of a ramp are within each other. */
function lastBegun(stages: readonly Condition[]): Condition {
  return stages.findLast((stage) => !isNever(stage)) ?? never
}

/** When the answer of a comparison with the time changes, and whether users match from then on, or until then. */
function boundOf(
  { attribute, operator, operand }: Comparison,
  clock: string,
): { readonly from: number; readonly isLater: boolean } | undefined {
  const question = operators.get(operator)?.question
  if (attribute !== clock || question?.kind !== "bound" || question.order !== "moment") return undefined
  const moment = typeof operand === "string" ? parseMoment(operand) : undefined
  if (moment === undefined) return undefined
  const isAtOnce = question.isUpper !== question.isInclusive // before, and at or after
  return { from: isAtOnce ? moment : moment + 1, isLater: !question.isUpper }
}
