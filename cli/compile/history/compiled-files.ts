import type { Segments } from "../definition/segments.ts"
import type { CompiledFlag } from "../meaning/compiled-flag.ts"
import type { History } from "./history.ts"

/** The meanings of flag files and segment files, and when they changed. */
export interface CompiledFiles {
  readonly flags: readonly CompiledFlag[]
  readonly segments: Segments
  readonly history: History
}
