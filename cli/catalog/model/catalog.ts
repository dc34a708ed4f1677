import type { Configuration, Flag } from "../../../proxy/contract/snapshot.ts"
import type { KnownAttribute } from "../../compile/grammar/known-attributes.ts"
import type { Link } from "../../compile/meaning/file-facts.ts"
import type { Phrase } from "../../phrases/phrase.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { CellState } from "../page/page-data.ts"
import type { SourceLinks } from "./source-links.ts"

/** Everything that the catalogue shows of a project. */
export interface Catalog {
  readonly project: string
  readonly projectId: string
  /** In the order of the project file. */
  readonly environments: readonly CatalogEnvironment[]
  /** The environment that people are in: the last protected one, else the last. A position in `environments`. */
  readonly live: number
  /** The commit; `null` outside git and before the first commit. */
  readonly revision: string | null
  /** The time of the newest commit, or of the newest change outside git; ISO 8601. */
  readonly asOf: string
  /** By key. */
  readonly flags: readonly CatalogFlag[]
  /** The attributes that the project declares, else those that its rules ask for. */
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
  /** `""`: no one is named. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  /** Absent: it has none. */
  readonly links?: readonly Link[]
  /** The flag's file from the top of the repository, with `/` inside. */
  readonly path: string
  /** Whether a spec has a case of it. */
  readonly isTested: boolean
  /** One for each environment, in the catalogue's order. */
  readonly cells: readonly CatalogCell[]
}

/** What a flag does in one environment. */
export interface CatalogCell {
  readonly environment: string
  /** `null`: the flag is not configured there. */
  readonly configuration: Configuration | null
  readonly state: CellState
  /** The state in a few words, such as `20 % by customerId`. */
  readonly words: Phrase
  /** Text that is equal for cells that give everyone the same one value; `undefined` where it depends on the context. */
  readonly constant: string | undefined
  /** One for each rule of the configuration. */
  readonly rules: readonly CatalogRule[]
  /** What those get whom no rule matches. */
  readonly otherwise: Reached
  /** Whether the environment before this one does something else. */
  readonly differs: boolean
}

/** Whether contexts come to a rule or to the default, and which specs do. */
export interface Reached {
  /** `false`: no context does. */
  readonly isReached: boolean
  /** How many cases of specs do. */
  readonly hits: number
  /** A context that does, as JSON; `""` where none is known. */
  readonly witness: string
}

/** A rule, as the details show it. */
export interface CatalogRule extends Reached {
  /** Who gets what: `true` for users with `plan` `pro`. */
  readonly words: Phrase
  /** Its line in the flag's file, from 1. */
  readonly line: number
}
