import type { KnownAttribute } from "../../compile/grammar/known-attributes.ts"
import type { FlagPart } from "../flags/flag-part.ts"
import type { CatalogHistory } from "../history/catalog-history.ts"
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
  readonly flags: readonly FlagPart[]
  /** The attributes that the project declares; `undefined`: those that its rules ask for. */
  readonly attributes: readonly KnownAttribute[] | undefined
  readonly history: CatalogHistory
  readonly links: SourceLinks
}

/** An environment as the project file names it. */
export interface CatalogEnvironment {
  readonly name: string
  readonly id: string
}
