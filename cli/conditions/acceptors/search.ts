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
  /** Whether nothing but an expression refuses what a text stands for. */
  readonly isRefused: (text: string) => boolean
  /** How many accepted texts are judged at most. */
  readonly mostTexts: number
  /** Whether a closer look is possible where it is not known if texts are accepted. */
  readonly hasCloser: boolean
}

/** `doubtful`: some texts may be accepted, and none is that certainly is. The guide accepts no others. */
export type SearchResult = Answer<unknown> | { readonly kind: "doubtful"; readonly guide: Acceptor }

/**
 * Finds a text that the acceptor accepts and the judge, too. It visits each state once, by its shortest text. Where the
 * judge refuses a text that is accepted, it asks about others, the shortest first. `none` is a proof: all states are
 * visited, or all texts are judged.
 */
export function search(question: Search, work: Work): SearchResult {
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
        const text = textOf(state, parents, lastSymbols, symbols)
        const value = judge(text)
        if (value !== undefined) return found(value)
        isCertain ||= question.isRefused(text)
      }
    }
    for (let symbol = 0; symbol < symbols.length; symbol++) {
      const next = acceptor.next(state, symbol)
      if (next !== parents.length) continue // only a state that is met for the first time has this number
      parents.push(state)
      lastSymbols.push(symbol)
    }
  }
  if (accepting.length === 0) return none
  if (isCertain || !question.hasCloser) return judgeAll(question, parents.length, work)
  const isLive = liveStates(acceptor, symbols.length, accepting, parents.length, work)
  return { kind: "doubtful", guide: trimmed(acceptor, isLive) }
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

/**
 * Judges accepted texts, the shortest first, until one is an answer. It knows for each length which states are followed
 * by an accepted text of just that length, so it begins no text in vain; where there are none, there is no longer one.
 */
function judgeAll(
  { acceptor, symbols, judge, mostTexts }: Search,
  stateCount: number,
  work: Work,
): Answer<unknown> {
  const states = Array.from({ length: stateCount }, (_, state) => state)
  const following = [Uint8Array.from(states, (state) => Number(acceptor.accepts(state) !== false))]
  let judged = 0
  const judgeFrom = (state: number, text: string, length: number): unknown => {
    work.spend(2)
    if (length === 0) return judged++ < mostTexts ? judge(text) : undefined
    for (const [symbol, members] of symbols.entries()) {
      const next = acceptor.next(state, symbol)
      if (next === dead || following[length - 1]?.[next] !== 1) continue
      for (const member of members) {
        const value = judgeFrom(next, text + member, length - 1)
        if (value !== undefined || work.isSpent || judged >= mostTexts) return value
      }
    }
    return undefined
  }
  for (let length = 0; ; length++) {
    const value =
      following[length]?.[acceptor.start] === 1 ? judgeFrom(acceptor.start, "", length) : undefined
    if (value !== undefined) return found(value)
    if (work.isSpent || judged >= mostTexts) return unknown("bound")
    work.spend((stateCount * symbols.length) >> 1)
    const leads = (state: number) =>
      symbols.some((_, symbol) => following[length]?.[acceptor.next(state, symbol)] === 1)
    following.push(Uint8Array.from(states, (state) => Number(leads(state))))
    if (following[length + 1]?.includes(1) !== true) return none
  }
}

/** The same acceptor, which sees at once where a text can no longer be accepted. What it does not know it accepts. */
function trimmed(acceptor: Acceptor, isLive: Uint8Array): Acceptor {
  return {
    start: acceptor.start,
    accepts: (state) => acceptor.accepts(state) !== false,
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
