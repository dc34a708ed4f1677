import type { Json, SnapshotDocument } from "../../proxy/contract/snapshot.ts"
import type { Link } from "../compile/meaning/file-facts.ts"
import type { Location } from "../diagnostics/diagnostic.ts"

/** A value that a condition expects another flag to give. */
export interface AskedFlag {
  readonly key: string
  readonly gives: Json
  readonly isBoolean: boolean
}

/** The flags to evaluate, wherever they were read. */
export interface FlagSet {
  readonly document: SnapshotDocument
  /** `undefined`: a single document does not say which environment it is for. */
  readonly environment: string | undefined
  /**
   * Where a rule of a flag was written, or with `inner` a condition in it: positions in the lists of its groups, the
   * outermost first. All are counted from 0. `undefined` in a snapshot, which does not know.
   */
  readonly locate: (key: string, rule: number, inner?: readonly number[]) => Location | undefined
  /** What the flag's file links to; absent in a snapshot. */
  readonly linksOf?: (key: string) => readonly Link[]
  /** The other flag and value in that rule or condition, by the same path; absent in a snapshot. */
  readonly askedAt?: (key: string, rule: number, inner: readonly number[]) => AskedFlag | undefined
}
