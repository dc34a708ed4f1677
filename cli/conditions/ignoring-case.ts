import { nameOnWire, operatorOf } from "../language/operators.ts"

/** The name on the wire of an operator that ignores case. */
export function ignoringCase(operator: string): string {
  return nameOnWire(operator, true)
}

/** The case-sensitive twin of an operator that ignores case; any other operator unchanged. */
export function withCase(operator: string): string {
  return operatorOf(operator)?.name ?? operator
}
