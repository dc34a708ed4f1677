import type { Configuration, Flag } from "../../../sdk/contract/snapshot.ts"
import type { Phrase } from "../../diagnostics/phrase.ts"
import type { Link } from "../../flag/file-facts.ts"
import type { KnownAttribute } from "../../language/known-attributes.ts"
import type { BranchChanges } from "../history/branch-changes.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { CellState } from "../page/page-data.ts"
import type { SourceLinks } from "./source-links.ts"

/** Everything that the catalogue shows about a project. */
export interface Catalog {
  readonly project: string
  readonly projectId: string
  /** Protected ones first or, without any, the last one; then the others, in the project file's order. */
  readonly environments: readonly CatalogEnvironment[]
  /** How many of them are protected. */
  readonly protected: number
  /** The environment that users are in: the last protected one, else the last. A position in `environments`. */
  readonly live: number
  /** The previous one in the project file; -1: none. */
  readonly beforeLive: number
  /** The commit; `null` outside git and before the first commit. */
  readonly revision: string | null
  /** The time of the newest commit, or of the newest change outside git; ISO 8601. */
  readonly asOf: string
  /** Sorted by key, with the flags that the branch changes first. */
  readonly flags: readonly CatalogFlag[]
  /** What the branch changes; absent if no base is given. */
  readonly branch?: BranchChanges
  /** The attributes that the project declares, or else those in its rules. */
  readonly attributes: readonly KnownAttribute[]
  /** Whether a rule has a regular expression. */
  readonly hasExpressions: boolean
  /** Oldest first. */
  readonly history: readonly DescribedCommit[]
  readonly links: SourceLinks
}

/** An environment as the project file names it. */
export interface CatalogEnvironment {
  readonly name: string
  readonly id: string
}

/** A flag in all environments. */
export interface CatalogFlag {
  readonly flag: Flag
  /** `""`: none. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  /** Absent: it has none. */
  readonly links?: readonly Link[]
  /** How long it must be unchanged to be stale, in milliseconds. */
  readonly staleAfter: number
  /** The keys of the flags that its conditions depend on. */
  readonly asks: readonly string[]
  /** The keys of the flags whose conditions depend on it. */
  readonly askedBy: readonly string[]
  /** The path of the flag's file from the top of the repository, with `/` as separator. */
  readonly path: string
  /** Whether a spec has a case for it. */
  readonly isTested: boolean
  /** One for each environment, in the catalogue's order. */
  readonly cells: readonly CatalogCell[]
}

/** What a flag does in one environment. */
export interface CatalogCell {
  readonly environment: string
  /** `null`: the flag is not configured there. */
  readonly configuration: Configuration | null
  /** When its configuration was removed; `undefined`: there is one, or never was. */
  readonly removedAt?: string | undefined
  readonly state: CellState
  /** The state in a few words, such as `20 % by customerId`. */
  readonly words: Phrase
  /** The one value that everyone gets, as canonical JSON; `undefined` if it depends on the context, or may. */
  readonly constant: string | undefined
  /** One for each rule of the configuration. */
  readonly rules: readonly CatalogRule[]
  /** What users get if no rule matches. */
  readonly otherwise: Reached
  /** Whether it differs from the live environment. */
  readonly differs: boolean
}

/** Whether contexts and specs reach a rule or the default. */
export interface Reached {
  /** `false`: no context does. */
  readonly isReached: boolean
  /** How many spec cases do. */
  readonly hits: number
  /** A context that does, as JSON; `""` if none is known. */
  readonly witness: string
}

/** A rule, as the details show it. */
export interface CatalogRule extends Reached {
  /** Who gets what: `true` for users with `plan` `pro`. */
  readonly words: Phrase
  /** Its line in the flag's file, from 1. */
  readonly line: number
}
