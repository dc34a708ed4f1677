import { table } from "./table.ts"

const tests = table<(distance: number) => boolean>({
  eq: (distance) => distance === 0,
  ne: (distance) => distance < 0 || distance > 0,
  gt: (distance) => distance > 0,
  gte: (distance) => distance >= 0,
  lt: (distance) => distance < 0,
  lte: (distance) => distance <= 0,
})
const synonyms = table<string>({ neq: "ne", ge: "gte", le: "lte" })

/** Whether two values at this distance satisfy the operator. `NaN`, for an unreadable value, never does. */
export function inOrder(operator: string, distance: number): boolean {
  return tests[synonyms[operator] ?? operator]?.(distance) ?? false
}
