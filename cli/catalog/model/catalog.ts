import type { Phrase } from "../../diagnostics/phrase.ts"
import type { Link } from "../../flag/file-facts.ts"
import type { RuleNumber } from "../../language/flag.ts"
import type { KnownAttribute } from "../../language/known-attributes.ts"
import type { BranchChanges } from "../history/branch-changes.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { PageCell, PageFlag, Reached } from "../page/page-data.ts"
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
export interface CatalogFlag extends Omit<PageFlag, "cells" | "defaultConstant"> {
  /** Absent: it has none. */
  readonly links?: readonly Link[]
  /** The keys of the flags that its conditions depend on. */
  readonly asks: readonly string[]
  /** The keys of the flags whose conditions depend on it. */
  readonly askedBy: readonly string[]
  /** One for each environment, in the catalogue's order. */
  readonly cells: readonly CatalogCell[]
}

/** What a flag does in one environment. */
export interface CatalogCell extends Omit<PageCell, "reached"> {
  readonly environment: string
  /** The state in a few words, such as `20 % by customerId`. */
  readonly words: Phrase
  /** One for each rule of the configuration. */
  readonly rules: readonly CatalogRule[]
  /** What users get if no rule matches. */
  readonly otherwise: Reached
  /** Whether it differs from the live environment. */
  readonly differs: boolean
}

/** A rule, as the details show it. */
export interface CatalogRule extends Reached {
  /** Who gets what: `true` for users with `plan` `pro`. */
  readonly words: Phrase
  /** Its line in the flag's file, from 1. */
  readonly line: number
  readonly rule: RuleNumber
}
