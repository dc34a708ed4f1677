import { ignoringCase } from "./ignoring-case.ts"

const pairs = [
  ["notEquals", "equals"],
  ["notContains", "contains"],
  ["notIn", "in"],
] as const

/** Each negated operator, with the one that it negates. */
export const negations: ReadonlyMap<string, string> = new Map([
  ...pairs,
  ...pairs.map(([not, positive]) => [ignoringCase(not), ignoringCase(positive)] as const),
  ["notMatches", "matches"],
])
