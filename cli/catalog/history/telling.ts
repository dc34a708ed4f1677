import type { FileChange } from "../../compile/history/walk.ts"
import type { CatalogHistory } from "./catalog-history.ts"

/** The messages to the thread that describes a history, in this order, except that versions come whenever they are read. */
export type TellingMessage =
  | { readonly kind: "commits"; readonly order: TellingOrder }
  | { readonly kind: "versions"; readonly versions: readonly ToldVersion[] }
  | { readonly kind: "end" }

/** Which history is to be said. */
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

/** A version by `identityOf`; `null`: nobody can read it. */
export type ToldVersion = readonly [identity: string, version: WrittenVersion | null]

/**
 * A version of a flag as texts of JSON. Parsing them in the thread costs less than cloning the objects here, and a text
 * that many versions have is parsed once.
 */
export interface WrittenVersion {
  readonly flag: ToldText
  /** Environments and configurations in turn. */
  readonly configurations: readonly ToldText[]
  /** The members of the file that only `diff` reports. */
  readonly people: ToldText
  /** `""`: it uses no segments. */
  readonly open: string
}

/** A text, or the position of one among those that were told before: most of a version is as it was. */
export type ToldText = string | number

/** What the thread sends back. */
export interface Told {
  readonly history: CatalogHistory
  /** The blobs of the flag files after the last commit, in the newest versions that can be read, by path. */
  readonly files: ReadonlyMap<string, string>
}
