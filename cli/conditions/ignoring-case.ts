/** The operators that have a twin that ignores case. */
export const caseOperators: readonly string[] = [
  ...["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "in", "notIn"],
]

const withCaseByTwin = new Map(caseOperators.map((operator) => [ignoringCase(operator), operator]))

/** The name under which an operator that ignores case travels. */
export function ignoringCase(operator: string): string {
  return `${operator}IgnoreCase`
}

/** The case-sensitive twin of an operator that ignores case; any other operator unchanged. */
export function withCase(operator: string): string {
  return withCaseByTwin.get(operator) ?? operator
}
