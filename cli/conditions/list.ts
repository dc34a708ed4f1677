import type { Condition } from "../../sdk/evaluation/condition.ts"

/** The strings of `in` and its twins, which travel as a JSON array in a string. */
export function listOf({ value }: Condition): readonly string[] {
  return JSON.parse(value)
}
