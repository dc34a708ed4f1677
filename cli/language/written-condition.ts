import type { Json } from "../../sdk/contract/snapshot.ts"
import { shareOperator } from "./comparisons.ts"
import { type Condition, isAlways, type Ramp, type Share, takesOperand } from "./condition.ts"

/** The fields of a rule or a condition as plain JSON, in the order in which they are written. */
export interface Fields {
  readonly [field: string]: Json
}

/** The fields with which an author writes a condition. They say nothing about what a segment or flag means. */
export function fieldsOf(condition: Condition): Fields {
  switch (condition.kind) {
    case "comparison": {
      const { attribute, operator, operand, ignoreCase, file } = condition
      return {
        ...(!isAlways(condition) && { attribute }),
        operator,
        ...(ignoreCase && { ignoreCase }),
        ...(takesOperand(operator) && { value: file === undefined ? operand : { file } }),
      }
    }
    case "share": {
      const { by, from, to, seed, text } = condition
      if (text !== undefined) return { attribute: by, operator: shareOperator, value: text }
      return { share: { by, ...(from > 0 && { from }), to, ...(seed !== undefined && { seed }) } }
    }
    case "segment":
      return { segment: condition.name }
    case "flag":
      return { flag: condition.key, ...(condition.is !== true && { is: condition.is }) }
    default:
      if (condition.ramp !== undefined) return { ramp: rampFields(condition.ramp) }
      return { [condition.kind]: condition.parts.map(fieldsOf) }
  }
}

/** The ramp that an author wrote with these fields, which are without mistakes; `undefined` for any other condition. */
export function rampOf({ ramp }: Fields): Ramp | undefined {
  if (ramp === undefined) return undefined
  const { by, from = 0, seed, stages } = ramp as Fields
  return {
    by: String(by),
    from: Number(from),
    seed: seed === undefined ? undefined : String(seed),
    stages: (stages as readonly Fields[]).map(({ at, share }) => ({ at: String(at), share: Number(share) })),
  }
}

function rampFields({ by, from, seed, stages }: Ramp): Fields {
  return {
    by,
    stages: stages.map(({ at, share }) => ({ at, share })),
    ...(from > 0 && { from }),
    ...(seed !== undefined && { seed }),
  }
}

/** The share that an author wrote with these fields, which are without mistakes; `undefined` for any other condition. */
export function shareOf({ attribute, operator, value, share }: Fields): Share | undefined {
  if (operator === shareOperator) {
    const text = String(value)
    return { kind: "share", by: String(attribute), from: 0, to: Number(text), seed: undefined, text }
  }
  if (share === undefined) return undefined
  const { by, from = 0, to, seed } = share as Fields
  return {
    kind: "share",
    by: String(by),
    from: Number(from),
    to: Number(to),
    seed: seed === undefined ? undefined : String(seed),
  }
}
