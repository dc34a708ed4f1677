import { ignoringCase } from "./ignoring-case.ts"

const pairs = [
  ["notEquals", "equals"],
  ["notContains", "contains"],
  ["notIn", "in"],
] as const

/** Each operator that negates another one, with that one. */
export const negations: ReadonlyMap<string, string> = new Map([
  ...pairs,
  ...pairs.map(([not, positive]) => [ignoringCase(not), ignoringCase(positive)] as const),
  ["notMatches", "matches"],
])
