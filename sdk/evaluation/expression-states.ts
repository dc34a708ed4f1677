/** A compiled expression of the engine. */
export interface EngineExpression {
  readonly test: (text: string) => boolean
  readonly re2: () => { readonly dfa: Automaton }
}

/**
 * The states that an expression has needed so far. The engine creates a state when a text needs it, and keeps it for
 * other texts. A text that needs a state for which there is no room is read without any. These fields are inside re2js,
 * so its version is pinned.
 */
interface Automaton {
  /** How many bytes new states may take, by the engine's estimate. */
  memBudget: number
  /** The same after all states were dropped. */
  stateBudget: number
  /** Called when there is no room. The engine's own drops all states, and returns the current one again. */
  resetCache: (state: unknown) => unknown
  /** Drops all states. */
  readonly clearCache: () => void
}

/** Finds an expression in a text. */
type Find = (text: string) => boolean

/**
 * One budget, 64 MiB, for the states of all expressions that the returned function is given. A text of 1 KB can need a
 * thousand new states, half a megabyte, in each expression of a document, and strangers send the texts. While the
 * budget is used up, a text that needs new states is read without any, which takes a tenth of the time in which they
 * would be created. After a million texts, the states of the expressions that were used least recently are dropped.
 */
export function createStateBudget(): (expression: EngineExpression) => Find {
  const withStates = new Set<Usage>()
  let left = mostEstimated
  let uses = 0
  let textsWhileFull = 0

  function countStates(usage: Usage): void {
    usage.bytes += left - usage.automaton.memBudget
    left = usage.automaton.memBudget
    withStates.add(usage)
  }

  function makeRoom(): void {
    textsWhileFull = 0
    for (const usage of [...withStates].sort((a, b) => a.lastUse - b.lastUse)) {
      if (left >= mostEstimated / 2) return
      usage.automaton.clearCache()
      left += usage.bytes
      usage.bytes = 0
      withStates.delete(usage)
    }
  }

  return (expression) => {
    const automaton = expression.re2().dfa
    automaton.resetCache = () => null // there is no room
    const usage: Usage = { automaton, bytes: 0, lastUse: 0 }
    return (text) => {
      usage.lastUse = ++uses
      automaton.memBudget = left
      automaton.stateBudget = left
      const isFound = expression.test(text)
      if (automaton.memBudget !== left) countStates(usage)
      if (left < largestState && ++textsWhileFull >= textsBeforeRoom) makeRoom()
      return isFound
    }
  }
}

interface Usage {
  readonly automaton: Automaton
  /** What its states take, by the engine's estimate. */
  bytes: number
  /** The number of its last use among those of all expressions. */
  lastUse: number
}

/** In bytes, what the engine estimates for 64 MiB: Node takes up to a tenth more. */
const mostEstimated = 58 * 1024 * 1024

/** In bytes; only an expression with a hundred thousand characters in its classes has larger states. */
const largestState = 1024 * 1024

/** Reading so many takes a second or more, and creating states instead of those that are dropped half a second. */
const textsBeforeRoom = 1_000_000
