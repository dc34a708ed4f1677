import type { Configuration, Flag } from "../../../sdk/contract/snapshot.ts"
import type { RuleNumber } from "../../evaluate/sentences.ts"
import type { GivenSince } from "../../stale/assess.ts"

/** What the page's script reads besides the page itself. */
export interface PageData {
  /** Their names, in the order of the columns. */
  readonly environments: readonly string[]
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
  /** Oldest first. */
  readonly history: readonly PageCommit[]
  /** In the order of the rows. */
  readonly flags: readonly PageFlag[]
}

/** A commit that changed a flag. Uncommitted changes have the id `""`. */
export interface PageCommit {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly author: string
  readonly subject: string
  /** The address of the pull request that the subject names. */
  readonly request?: string | undefined
  readonly changes: readonly PageChange[]
}

export interface PageChange {
  /** The key after the change; for a removed flag, its last key. */
  readonly flag: string
  /** The key before a renaming. */
  readonly from?: string | undefined
  /** The environment that was edited; absent if the change is about all of them. */
  readonly environment?: string | undefined
  readonly what: PageSentence
  /** Whose value changed, or why no one's did. */
  readonly who: readonly { readonly environment?: string | undefined; readonly sentence: PageSentence }[]
}

/** Our words and untrusted text, alternating, ours first. */
export type PageSentence = readonly string[]

export interface PageFlag {
  readonly flag: Flag
  /** `""`: none. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  /** The `constant` of cells that give everyone the default. */
  readonly defaultConstant: string
  /** How long it must be unchanged to be stale, in milliseconds; `null`: it never is. */
  readonly staleAfter: number | null
  /** The path of the flag's file from the top of the repository, with `/` as separator. */
  readonly path: string
  /** Whether a spec has a case for it. */
  readonly isTested: boolean
  /** One for each environment. */
  readonly cells: readonly PageCell[]
}

/** What a flag does in an environment. */
export interface PageCell extends Pick<GivenSince<string>, "ramps" | "isOver"> {
  readonly state: CellState
  /** The one value that everyone gets, as canonical JSON; `undefined` if it depends on the context, or may. */
  readonly constant: string | undefined
  /** `null`: the flag is not configured there. */
  readonly configuration: Configuration | null
  /** When its configuration was removed; `undefined`: there is one, or never was. */
  readonly removedAt?: string | undefined
  /** For each rule, then for the default. */
  readonly reached: readonly Reached[]
}

/**
 * What users get. `on` and `off`: one value for all, for a boolean flag; `value`: the same for other types. `share` and
 * `rules`: several values, with or without a rule for a share of users.
 */
export type CellState = "none" | "off" | "on" | "value" | "share" | "rules"

/** Whether contexts and specs reach a rule or the default. */
export interface Reached {
  /** `false`: no context does. */
  readonly isReached: boolean
  /** How many spec cases do. */
  readonly hits: number
  /** A context that does, as JSON; `""` if none is known. */
  readonly witness: string
  /** A rule's line in the flag's file, from 1. */
  readonly line?: number
  /** How a rule is numbered in the flag's file. */
  readonly rule?: RuleNumber
}
