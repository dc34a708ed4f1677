import type { Phrase } from "../../phrases/phrase.ts"

/** A commit, and what it changed about the flags. It is JSON. */
export interface DescribedCommit {
  /** `""`: what is not committed yet. */
  readonly id: string
  /** Committer date, in milliseconds since 1970. */
  readonly at: number
  /** As git has it. */
  readonly author: string
  /** The first line of its message. */
  readonly subject: string
  /** By flag key. Never empty. */
  readonly changes: readonly DescribedChange[]
}

/** One thing that changed about a flag, in `diff`'s sentences. */
export interface DescribedChange {
  readonly kind: "added" | "removed" | "renamed" | "changed"
  /** The key after the change; of a removed flag, its last. */
  readonly flag: string
  /** The key before a renaming. */
  readonly from?: string
  /** The environment that was edited; absent if the change is about all of them. */
  readonly environment?: string
  readonly what: Phrase
  /** Who got another value, or why no one did. */
  readonly who: readonly { readonly environment?: string; readonly sentence: Phrase }[]
}
