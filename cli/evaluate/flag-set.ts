import type { SnapshotDocument } from "../../proxy/contract/snapshot.ts"
import type { Location } from "../diagnostics/diagnostic.ts"

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
}
