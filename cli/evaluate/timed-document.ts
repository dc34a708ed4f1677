import type { SnapshotDocument } from "../../sdk/contract/snapshot.ts"
import { type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { shareIn } from "../../sdk/evaluation/operators.ts"
import type { Stage } from "../diagnostics/moment-words.ts"
import { boundOf, momentsOf } from "../flag/times.ts"
import type { Timed } from "./flag-set.ts"

/** What depends on the time in a document, which has no ramps but what they stand for. `clock` is the attribute of the time. */
export function timedDocument({ flags }: SnapshotDocument, clock: string): Timed {
  const conditionsOf = (key: string) => {
    const found = flags.find(({ flag }) => flag.key === key)
    const { enabled = false, rules = [] } = found?.environment ?? {}
    return enabled ? rules.map((rule) => ({ id: rule.id, parts: [...partsOf(parseCondition(rule))] })) : []
  }
  return {
    clock,
    momentsOf(key, now) {
      const parts = conditionsOf(key).flatMap((rule) => rule.parts)
      return momentsOf(parts.map(comparisonOf), { attribute: clock, now })
    },
    rampsOf: (key) =>
      conditionsOf(key).flatMap(({ id, parts }) =>
        parts.flatMap((part) => {
          const stages = part.kind === "any" ? part.parts.map((stage) => stageOf(stage, key, clock)) : []
          return stages.length > 1 && stages.every((stage) => stage !== undefined)
            ? [{ rule: id, stages }]
            : []
        }),
      ),
  }
}

function* partsOf(condition: ParsedCondition): Generator<ParsedCondition> {
  yield condition
  if ("parts" in condition) for (const part of condition.parts) yield* partsOf(part)
}

function comparisonOf({ condition: { attribute, operator, value } }: ParsedCondition) {
  return { attribute, operator, operand: value }
}

/** A stage is `all` of a moment that has come and a share. */
function stageOf(condition: ParsedCondition, key: string, clock: string): Stage | undefined {
  const [begun, isIn, ...others] = condition.kind === "all" ? condition.parts : []
  if (begun === undefined || isIn === undefined || others.length > 0) return undefined
  const bound = boundOf(comparisonOf(begun), clock)
  const range = shareIn(isIn.condition.operator, isIn.condition.value, key)
  if (bound?.isLater !== true || range === undefined) return undefined
  return { from: bound.from, share: Math.round(((range.to - range.from) / 2 ** 32) * 1_000) / 1_000 }
}
