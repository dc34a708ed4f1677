import type { Json } from "../../proxy/contract/snapshot.ts"
import { shareOperator } from "./comparisons.ts"
import { type Condition, isAlways, takesOperand } from "./condition.ts"

/** The fields of a rule or a condition as plain JSON, in the order in which they are written. */
export interface Fields {
  readonly [field: string]: Json
}

/** The fields with which an author writes a condition. They say nothing about what a segment or flag means. */
export function fieldsOf(condition: Condition): Fields {
  switch (condition.kind) {
    case "comparison": {
      const { attribute, operator, operand, ignoreCase } = condition
      return {
        ...(!isAlways(condition) && { attribute }),
        operator,
        ...(ignoreCase && { ignoreCase }),
        ...(takesOperand(operator) && { value: operand }),
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
      return { [condition.kind]: condition.parts.map(fieldsOf) }
  }
}
