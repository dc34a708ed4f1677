import type { Phrase } from "../../phrases/phrase.ts"

/** What happened to the flags, oldest first. */
export interface CatalogHistory {
  readonly commits: readonly CatalogCommit[]
}

/** A commit that changed what a flag means, or something about it. */
export interface CatalogCommit {
  /** `""`: what is not committed yet. */
  readonly id: string
  /** Committer date, ISO 8601. */
  readonly at: string
  /** As git has it; `""` where it is left out. */
  readonly author: string
  readonly changes: readonly FlagChange[]
}

/** One thing that changed about a flag, in `diff`'s sentences. */
export interface FlagChange {
  /** The key after the change; of a removed flag, its last. */
  readonly flag: string
  readonly kind: "added" | "removed" | "renamed" | "changed"
  /** The key before a renaming. */
  readonly from?: string
  /** The environment that was edited; absent where the change is about all of them. */
  readonly environment?: string
  readonly what: Phrase
  /** Who got another value, or why nobody did. */
  readonly who: readonly { readonly environment?: string; readonly sentence: Phrase }[]
}

export const noHistory: CatalogHistory = { commits: [] }
