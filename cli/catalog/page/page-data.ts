import type { Json, Rule } from "../../../sdk/contract/snapshot.ts"

/**
 * What the page's script reads besides the page itself, which has the keys, names, descriptions and paths. Values that
 * several flags share are in lists, and flags are tuples, so that a catalogue of thousands stays small. A name that
 * ends in `Of` is a position in one of the lists.
 */
export interface PageData {
  readonly project: string
  readonly projectId: string
  readonly environments: readonly { readonly name: string; readonly id: string }[]
  /** How many environments are protected; they come first. */
  readonly protected: number
  /** The environment that users are in, and the one before it or -1: positions in `environments`. */
  readonly live: number
  readonly beforeLive: number
  /** How many flags a branch changes; they come first. -1: there is no branch. */
  readonly changed: number
  /** Where files and commits are on the web; `""`: nowhere. */
  readonly files: string
  readonly commits: string
  /** Where files are edited, and the form for changes; `""`: nowhere. */
  readonly edits: string
  readonly form: string
  /** Milliseconds since 1970. */
  readonly times: readonly number[]
  /** Types, default values, owners, lists of tags, expiries, authors and witnesses. */
  readonly values: readonly Json[]
  readonly rules: readonly Rule[]
  readonly settings: readonly PageSetting[]
  readonly sentences: readonly PageSentence[]
  readonly changes: readonly PageChange[]
  readonly log: readonly PageCommit[]
  /** In the order of the rows. */
  readonly flags: readonly PageFlag[]
}

/** Our words and untrusted text, alternating, ours first. */
export type PageSentence = readonly string[]

/** `request` is the address of a pull request. */
export type PageCommit = readonly [
  id: string,
  atOf: number,
  authorOf: number,
  subject: string,
  request?: string,
]

export type PageFlag = readonly [
  createdAtOf: number,
  updatedAtOf: number,
  typeOf: number,
  defaultValueOf: number,
  ownerOf: number,
  tagsOf: number,
  expiresOf: number,
  isTested: 0 | 1,
  cells: readonly PageCell[],
  history: readonly PageChangeAt[],
  /** Cells with this constant give everyone the default. */
  defaultConstant: number,
  /** How long it must be unchanged to be stale, in milliseconds; `null`: it never is. */
  staleAfter: number | null,
  written?: WrittenTexts,
]

/** A change of a flag in a commit. */
export type PageChangeAt = readonly [commitOf: number, changeOf: number]

/** Texts as their author wrote them, which the page shows in a different form, or not at all. */
export interface WrittenTexts {
  readonly id?: string
  readonly name?: string
  readonly description?: string
  readonly path?: string
}

/** `changedAtOf` is when the configuration last changed or was removed; absent if there never was one. */
export type PageCell = readonly [settingOf: number, changedAtOf?: number]

/**
 * What users get. `on` and `off`: one value for all, for a boolean flag; `value`: the same for other types. `share` and
 * `rules`: several values, with or without a rule for a share of users.
 */
export type CellState = "none" | "off" | "on" | "value" | "share" | "rules"

/** What a flag does in an environment. */
export type PageSetting = readonly [
  state: CellState,
  /** Equal for settings that give everyone the same value; -1: it depends on the context. */
  constant: number,
  /** What specs and witnesses show: for each rule, then for the default. */
  reached: readonly PageReached[],
  configuration?: readonly [id: string, enabled: 0 | 1, rulesOf: readonly number[]],
]

/** `isReached`, the number of spec cases, the witness and the rule's line, which the default lacks. */
export type PageReached = readonly [isReached: 0 | 1, hits: number, witnessOf: number, line?: number]

/** Environments are positions; -1: none. */
export type PageChange = readonly [
  whatOf: number,
  environmentOf: number,
  who: readonly (readonly [environmentOf: number, sentenceOf: number])[],
]
