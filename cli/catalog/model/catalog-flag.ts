import type { Configuration, Flag, Json } from "../../../proxy/contract/snapshot.ts"
import type { Phrase } from "../../phrases/phrase.ts"
import type { Content } from "../versions/content.ts"
import type { CellState } from "./cell-state.ts"

/** A flag in all environments. */
export interface CatalogFlag {
  readonly flag: Flag
  /** `""`: nobody is named. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  /** The flag's file from the top of the repository, with `/` inside. */
  readonly path: string
  /** Whether a spec has a case of it. */
  readonly isTested: boolean
  /** One for each environment, in the catalogue's order. */
  readonly cells: readonly CatalogCell[]
}

/** What a flag does in one environment. */
export interface CatalogCell {
  readonly meaning: CellMeaning
  /** Whether the environment before this one does something else. */
  readonly differs: boolean
  /** `undefined`: the flag is not configured there. */
  readonly configured: Pick<Configuration, "id" | "updatedAt"> | undefined
}

/** What a cell says. */
export interface CellMeaning {
  /** Whether other flags may have this very object, so that what is made of it is worth keeping. */
  readonly isShared: boolean
  readonly environment: string
  readonly defaultValue: Json
  /** `undefined`: the flag is not configured. */
  readonly content: Content | undefined
  readonly state: CellState
  /** The state in a few words, such as `20 % by customerId`. */
  readonly words: Phrase
  /** Text that is equal for cells that give everyone the same one value; `undefined` where it depends on the context. */
  readonly constant: string | undefined
  /** One for each rule of the configuration. */
  readonly rules: readonly CatalogRule[]
  /** What those get whom no rule matches. */
  readonly otherwise: Reached
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
  /** Who gets what: people whose `plan` is `pro` get `true`. */
  readonly words: Phrase
  /** Its line in the flag's file, from 1. */
  readonly line: number
}
