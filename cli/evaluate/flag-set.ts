import type { SnapshotDocument } from "../../proxy/contract/snapshot.ts"
import type { Location } from "../diagnostics/diagnostic.ts"

/** The flags that are asked, wherever they were read. */
export interface FlagSet {
  readonly document: SnapshotDocument
  /** `undefined`: a document of its own does not say which environment it is of. */
  readonly environment: string | undefined
  /**
   * Where a rule of a flag was written, or with `inner` a condition in it: positions in the lists of its groups, the
   * outermost first. All are counted from 0. `undefined` in a snapshot, which does not know.
   */
  readonly locate: (key: string, rule: number, inner?: readonly number[]) => Location | undefined
}
