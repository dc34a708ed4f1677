import type { Phrase } from "../../phrases/phrase.ts"
import type { PageChange, PageSentence } from "../page-data.ts"

/** A commit that changed what a flag means, or something about it. */
export interface CatalogCommit {
  /** `""`: what is not committed yet. */
  readonly id: string
  /** Committer date, in milliseconds since 1970. */
  readonly at: number
  /** As git has it. */
  readonly author: string
  readonly changes: readonly FlagChange<BookedChange>[]
}

/** One thing that changed about a flag. */
export interface FlagChange<Said> {
  /** The key after the change; of a removed flag, its last. */
  readonly flag: string
  /** The key before a renaming. */
  readonly from?: string
  /** Changes of many flags may have the same object. */
  readonly said: Said
}

/** A change that a history already has. */
export interface BookedChange {
  readonly kind: SaidChange["kind"]
  /** Its position in the history's changes. */
  readonly changeOf: number
  /** The positions of the environments that it is about. */
  readonly environments: readonly number[]
}

/** What is said of a change, in `diff`'s sentences. */
export interface SaidChange {
  readonly kind: "added" | "removed" | "renamed" | "changed"
  /** The environment that was edited; absent where the change is about all of them. */
  readonly environment?: string
  readonly what: Phrase
  /** Who got another value, or why nobody did. */
  readonly who: readonly { readonly environment?: string; readonly sentence: Phrase }[]
}

/**
 * What happened to the flags, oldest first, as the page has it: later commits only add to it. It is JSON, because it is
 * remembered.
 */
export interface CatalogHistory {
  readonly commits: readonly CountedCommit[]
  readonly sentences: readonly PageSentence[]
  /** Each once: many commits have the same. */
  readonly changes: readonly PageChange[]
  /** By key, those of flags that are gone included: a flag may come back. */
  readonly flags: readonly (readonly [key: string, changes: readonly ChangeAt[]])[]
}

/** The commit and the change: positions in their lists. */
export type ChangeAt = readonly [commitOf: number, changeOf: number]

/** A commit without its sentences, and what the pictures count. */
export type CountedCommit = readonly [
  id: string,
  at: number,
  author: string,
  added: number,
  removed: number,
  /** By environment, how many flags changed there. */
  touched: readonly number[],
]

export const noHistory: CatalogHistory = { commits: [], sentences: [], changes: [], flags: [] }
