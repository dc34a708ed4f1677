import type { Machine } from "../../../../cli/conditions/acceptors/acceptor.ts"
import type { Truth } from "../../../../sdk/evaluation/match-condition.ts"

/** What a machine says of a text. */
export function verdictOf<S>(machine: Machine<S>, text: string): Truth {
  let state = machine.start
  for (const character of text) {
    if (state === undefined) return false
    state = machine.step(state, character)
  }
  return state !== undefined && machine.accepts(state)
}
