import { operatorsOnWire } from "../../sdk/evaluation/operators.ts"
import { operatorOf } from "../language/operators.ts"

/** Each negated operator, with the one that it negates. */
export const negations: ReadonlyMap<string, string> = new Map(
  [...operatorsOnWire.keys()].flatMap((name) => {
    const negated = operatorOf(name)?.negates
    return negated === undefined ? [] : [[name, negated] as const]
  }),
)
