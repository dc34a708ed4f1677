import type { FileChange } from "../../compile/history/walk.ts"
import type { CatalogHistory } from "./catalog-history.ts"
import type { WrittenVersion } from "./written-version.ts"

/** The messages to the thread that describes a history, in this order, except that versions come whenever they are read. */
export type TellingMessage =
  | { readonly kind: "commits"; readonly order: TellingOrder }
  | { readonly kind: "versions"; readonly versions: readonly WrittenVersion[] }
  | { readonly kind: "end" }

/** Which history is to be described. */
export interface TellingOrder {
  readonly project: string
  readonly environments: readonly { readonly name: string; readonly id: string }[]
  /** Oldest first, with what they change of the project's flag files. */
  readonly commits: readonly ToldCommit[]
}

export interface ToldCommit {
  readonly id: string
  readonly at: number
  readonly author: string
  readonly changes: ReadonlyMap<string, FileChange>
}

/** What the thread sends back. */
export interface Told {
  readonly history: CatalogHistory
  /** The blobs of the flag files after the last commit, in the newest versions that can be read, by path. */
  readonly files: ReadonlyMap<string, string>
}
