/** The operators with a case-insensitive twin. */
export const caseOperators: readonly string[] = [
  ...["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "in", "notIn"],
]

const withCaseByTwin = new Map(caseOperators.map((operator) => [ignoringCase(operator), operator]))

/** The name on the wire of an operator that ignores case. */
export function ignoringCase(operator: string): string {
  return `${operator}IgnoreCase`
}

/** The case-sensitive twin of an operator that ignores case; any other operator unchanged. */
export function withCase(operator: string): string {
  return withCaseByTwin.get(operator) ?? operator
}
