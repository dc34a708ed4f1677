import type { Phrase } from "../../diagnostics/phrase.ts"
import type { CommitFacts } from "../../history/walk.ts"

/** A commit, and what it changed about the flags, as JSON. Uncommitted changes have the id `""`. */
export interface DescribedCommit extends CommitFacts {
  /** By flag key. Never empty. */
  readonly changes: readonly DescribedChange[]
}

/** One thing that changed about a flag, in `diff`'s sentences. */
export interface DescribedChange {
  readonly kind: "added" | "removed" | "renamed" | "changed"
  /** The key after the change; for a removed flag, its last key. */
  readonly flag: string
  /** The key before a renaming. */
  readonly from?: string
  /** The environment that was edited; absent if the change is about all of them. */
  readonly environment?: string
  readonly what: Phrase
  /** Whose value changed, or why no one's did. */
  readonly who: readonly { readonly environment?: string; readonly sentence: Phrase }[]
}
