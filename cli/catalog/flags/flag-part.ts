import type { Markup } from "../html/markup.ts"
import type { PageFacts, WrittenTexts } from "../page-data.ts"

/** A flag's part of the page. */
export interface FlagPart {
  readonly key: string
  /** Equal for parts that are made of the same: one that is remembered counts while its name is the same. */
  readonly name: string
  /** Its row of the matrix: HTML in UTF-8. */
  readonly row: Uint8Array
  /** Its details, in the same form. */
  readonly article: Uint8Array
  /** What the page's script knows of it, its history apart. */
  readonly data: FlagData
}

/** HTML as text, or in UTF-8. */
export type Piece = Markup | Uint8Array

/** What the page's script knows of a flag: positions in lists. */
export type FlagData = readonly [facts: PageFacts, written?: WrittenTexts]

/** The parts of all flags, by key. */
export interface FlagParts {
  readonly flags: readonly FlagPart[]
  /** How many were made, not remembered. */
  readonly made: number
  readonly specs: readonly SpecOf[]
}

/** A spec file, and the key of the flag that it is for. */
export interface SpecOf {
  readonly digest: string
  readonly flag: string
}
