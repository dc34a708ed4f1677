import type { Truth } from "../../../sdk/evaluation/match-condition.ts"
import type { Work } from "../work.ts"

/** Reads a text symbol by symbol. States are numbers from 0 on, in the order in which they are met. */
export interface Acceptor {
  /** The state before the first symbol; `dead` where no text is accepted. */
  readonly start: number
  /** The state after one more symbol; `dead` where no text that goes on so is accepted. */
  next(state: number, symbol: number): number
  /** Whether the text that was read is accepted. `unknown`: the state stands for texts of both kinds. */
  accepts(state: number): Truth
}

export const dead = -1

/** How texts of one kind are read. States with equal names are equal. `undefined`: no text that goes on so is accepted. */
export interface Machine<S> {
  /** The steps of work (`work.ts`) that one character takes where the text is not refused at it. */
  readonly price: number
  readonly start: S | undefined
  step(state: S, character: string): S | undefined
  accepts(state: S): Truth
  nameOf(state: S): string
}

/** The acceptor of a machine. Each step of the machine is made once. */
export function acceptorOf<S>(machine: Machine<S>, symbols: readonly string[], work: Work): Acceptor {
  const ids = new Map<string, number>()
  const states: S[] = []
  const verdicts: (Truth | undefined)[] = []
  const idOf = (state: S | undefined): number => {
    if (state === undefined) return dead
    const name = machine.nameOf(state)
    const known = ids.get(name)
    if (known !== undefined) return known
    const id = states.push(state) - 1
    ids.set(name, id)
    return id
  }
  const step = (state: number, symbol: number) => {
    const next = machine.step(states[state] as S, symbols[symbol] ?? "")
    // Naming a state takes most of the time.
    work.spend(next === undefined ? 2 : machine.price)
    return idOf(next)
  }
  return {
    start: idOf(machine.start),
    next: remembering(step, symbols.length),
    accepts(state) {
      verdicts[state] ??= machine.accepts(states[state] as S)
      return verdicts[state]
    },
  }
}

/** More than an acceptor can have: each new state is a step of the work. */
const mostStates = 2 ** 26

/** Accepts what both accept. */
export function both(a: Acceptor, b: Acceptor, symbolCount: number, work: Work): Acceptor {
  const ids = new Map<number, number>()
  const [lefts, rights]: [number[], number[]] = [[], []]
  const idOf = (left: number, right: number): number => {
    if (left === dead || right === dead) return dead
    const key = left * mostStates + right
    const known = ids.get(key)
    if (known !== undefined) return known
    const id = lefts.push(left) - 1
    rights.push(right)
    ids.set(key, id)
    return id
  }
  const step = (state: number, symbol: number) => {
    work.spend(4)
    const left = a.next(lefts[state] ?? 0, symbol)
    return left === dead ? dead : idOf(left, b.next(rights[state] ?? 0, symbol))
  }
  return {
    start: idOf(a.start, b.start),
    next: remembering(step, symbolCount),
    accepts(state) {
      const left = a.accepts(lefts[state] ?? 0)
      if (left === false) return false
      const right = b.accepts(rights[state] ?? 0)
      return right === true ? left : right
    },
  }
}

const notComputed = -2

/** Makes each step once. */
function remembering(
  step: (state: number, symbol: number) => number,
  symbolCount: number,
): (state: number, symbol: number) => number {
  let table = new Int32Array(32 * symbolCount).fill(notComputed)
  return (state, symbol) => {
    const at = state * symbolCount + symbol
    if (at >= table.length) {
      const larger = new Int32Array(Math.max(2 * table.length, at + symbolCount)).fill(notComputed)
      larger.set(table)
      table = larger
    }
    const known = table[at] ?? dead
    if (known !== notComputed) return known
    const next = step(state, symbol)
    table[at] = next
    return next
  }
}
