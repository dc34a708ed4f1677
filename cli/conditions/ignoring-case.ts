import { nameIgnoringCase, operatorsOnWire } from "../../sdk/evaluation/operators.ts"

const twins = [...operatorsOnWire.values()].filter(({ ignoresCase }) => ignoresCase)

/** The operators with a case-insensitive twin. */
export const caseOperators: readonly string[] = twins.map(({ name }) => name)

const withCaseByTwin = new Map<string, string>(twins.map(({ name }) => [nameIgnoringCase(name), name]))

/** The name on the wire of an operator that ignores case. */
export function ignoringCase(operator: string): string {
  return nameIgnoringCase(operator)
}

/** The case-sensitive twin of an operator that ignores case; any other operator unchanged. */
export function withCase(operator: string): string {
  return withCaseByTwin.get(operator) ?? operator
}
