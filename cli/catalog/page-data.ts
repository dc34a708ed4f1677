import type { Json, Rule } from "../../proxy/contract/snapshot.ts"

/**
 * What the page's script knows. Texts that many flags have are in lists, and flags are tuples, because a catalogue of
 * thousands must stay small. "Of" something: its position in that list.
 */
export interface PageData {
  readonly project: string
  readonly projectId: string
  readonly environments: readonly { readonly name: string; readonly id: string }[]
  /** The environment that people are in: a position in `environments`. */
  readonly live: number
  /** Where files and commits are on the web; `""`: nowhere. */
  readonly files: string
  readonly commits: string
  readonly times: readonly string[]
  readonly rules: readonly Rule[]
  readonly witnesses: readonly string[]
  readonly sentences: readonly PageSentence[]
  readonly log: readonly PageCommit[]
  readonly flags: readonly PageFlag[]
}

/** Our words and foreign texts in turn, ours first. */
export type PageSentence = readonly string[]

export type PageCommit = readonly [id: string, at: string, author: string]

export type PageFlag = readonly [
  key: string,
  id: string,
  name: string,
  description: string,
  type: string,
  defaultValue: Json,
  createdAtOf: number,
  updatedAtOf: number,
  owner: string,
  tags: readonly string[],
  expires: string,
  path: string,
  isTested: 0 | 1,
  cells: readonly PageCell[],
  history: readonly PageChange[],
]

export type PageCell = readonly [
  state: string,
  constantOf: number,
  /** What specs and witnesses say: of each rule, then of what applies otherwise. */
  reached: readonly PageReached[],
  configuration?: PageConfiguration,
]

/** `isReached`, the cases of specs, the witness and the line of the rule; the last has none. */
export type PageReached = readonly [isReached: 0 | 1, hits: number, witnessOf: number, line?: number]

export type PageConfiguration = readonly [
  id: string,
  enabled: 0 | 1,
  rulesOf: readonly number[],
  updatedAtOf: number,
]

/** Environments are positions; -1: none. */
export type PageChange = readonly [
  commitOf: number,
  whatOf: number,
  environmentOf: number,
  who: readonly (readonly [environmentOf: number, sentenceOf: number])[],
]
