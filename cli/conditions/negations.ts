/** The operators that negate another one, each with that one. */
export const negations: ReadonlyMap<string, string> = new Map([
  ["notEquals", "equals"],
  ["notContains", "contains"],
  ["notMatches", "matches"],
  ["notIn", "in"],
])
