import { type Answer, found, none, unknown } from "../answer.ts"
import type { Work } from "../work.ts"
import { type Acceptor, dead } from "./acceptor.ts"

/** Symbols by their members. A machine cannot tell the members of one symbol apart; the first stands for them. */
export type Symbols = readonly (readonly string[])[]

/** What a search reads, and what it does with accepted texts. */
export interface Search {
  readonly acceptor: Acceptor
  readonly symbols: Symbols
  /** The value that an accepted text stands for; `undefined` where it is no answer after all. */
  readonly judge: (text: string) => unknown
  /** How many accepted texts are judged at most. */
  readonly mostTexts: number
  /** Whether a closer look is possible where it is not known if texts are accepted. */
  readonly hasCloser: boolean
}

/** `doubtful`: some texts may be accepted, and none is that certainly is. The guide accepts no others. */
export type Outcome = Answer<unknown> | { readonly kind: "doubtful"; readonly guide: Acceptor }

/**
 * Finds a text that the acceptor accepts and the judge, too. It visits each state once, by its shortest text. Where the
 * judge refuses a text that is accepted, it asks about others, the shortest first. `none` is a proof: all states are
 * visited, or all texts are judged.
 */
export function search(question: Search, work: Work): Outcome {
  const { acceptor, symbols, judge } = question
  if (acceptor.start === dead) return none
  const parents = [dead]
  const lastSymbols = [0]
  const accepting: number[] = []
  let [isCertain, judged] = [false, 0]
  for (let state = 0; state < parents.length; state++) {
    if (work.isSpent) return unknown("bound")
    const verdict = acceptor.accepts(state)
    if (verdict !== false) {
      accepting.push(state)
      isCertain ||= verdict === true
      if (judged++ < question.mostTexts) {
        const value = judge(textOf(state, parents, lastSymbols, symbols))
        if (value !== undefined) return found(value)
      }
    }
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      const next = acceptor.next(state, symbol)
      if (next !== parents.length) continue
      parents.push(state)
      lastSymbols.push(symbol)
    }
  }
  if (accepting.length === 0) return none
  const guide = trimmed(acceptor, liveStates(acceptor, symbols.length, accepting, parents.length, work))
  return question.hasCloser && !isCertain ? { kind: "doubtful", guide } : judgeAll(question, guide, work)
}

function textOf(
  state: number,
  parents: readonly number[],
  lastSymbols: readonly number[],
  symbols: Symbols,
): string {
  const characters: string[] = []
  for (let one = state; one > 0; one = parents[one] ?? 0)
    characters.push(symbols[lastSymbols[one] ?? 0]?.[0] ?? "")
  return characters.reverse().join("")
}

/** Judges accepted texts, the shortest first. */
function judgeAll({ symbols, judge, mostTexts }: Search, acceptor: Acceptor, work: Work): Answer<unknown> {
  let level: [state: number, text: string][] = [[acceptor.start, ""]]
  let judged = 0
  while (level.length > 0) {
    const longer: [state: number, text: string][] = []
    for (const [state, text] of level) {
      work.spend(2)
      if (work.isSpent || judged > mostTexts) return unknown("bound")
      if (acceptor.accepts(state) !== false) {
        judged++
        const value = judge(text)
        if (value !== undefined) return found(value)
      }
      for (const [symbol, members] of symbols.entries()) {
        const next = acceptor.next(state, symbol)
        if (next === dead) continue
        work.spend(members.length)
        for (const member of members) longer.push([next, text + member])
      }
    }
    level = longer
  }
  return none
}

/** The same acceptor, which sees at once where a text can no longer be accepted. */
function trimmed(acceptor: Acceptor, isLive: Uint8Array): Acceptor {
  return {
    ...acceptor,
    next: (state, symbol) => {
      const next = acceptor.next(state, symbol)
      return isLive[next] === 1 ? next : dead
    },
  }
}

/** Marks the states from which an accepting one is reached. */
function liveStates(
  acceptor: Acceptor,
  symbolCount: number,
  accepting: readonly number[],
  stateCount: number,
  work: Work,
): Uint8Array {
  const before: number[][] = Array.from({ length: stateCount }, () => [])
  work.spend(stateCount * symbolCount)
  for (let state = 0; state < stateCount; state++)
    for (let symbol = 0; symbol < symbolCount; symbol++) {
      const next = acceptor.next(state, symbol)
      if (next !== dead) before[next]?.push(state)
    }
  const isLive = new Uint8Array(stateCount)
  const open = [...accepting]
  for (const state of accepting) isLive[state] = 1
  for (let state = open.pop(); state !== undefined; state = open.pop())
    for (const one of before[state] ?? [])
      if (isLive[one] === 0) {
        isLive[one] = 1
        open.push(one)
      }
  return isLive
}
