import type { Code } from "../../diagnostics/codes.ts"
import type { Diagnostic } from "../../diagnostics/diagnostic.ts"
import type { NotCompared } from "../sides/leave-out-broken.ts"
import type { Change, DiffEnvironment } from "./change.ts"
import type { SegmentChange } from "./segment-change.ts"

/** What changes from one revision to another. */
export interface Diff {
  /** The environments of both sides: protected ones first, then in the order of the project after the change. */
  readonly environments: readonly DiffEnvironment[]
  /** The project's changes first, then by flag key. */
  readonly changes: readonly Change[]
  /** Warnings that only a diff finds, and as errors the invariants that the change breaks. */
  readonly warnings: readonly Diagnostic[]
  /** The segments whose conditions changed; absent if there are none. */
  readonly segments?: readonly SegmentChange[]
  /** The warnings that are excused for this run, which do not count; absent if there are none. */
  readonly accepted?: readonly Diagnostic[]
  /** What has errors before the change; absent if everything was compared. */
  readonly notCompared?: NotCompared
}

/** The codes of the warnings that can be accepted, each once. Nothing accepts an error. */
export function acceptableCodes(warnings: readonly Diagnostic[]): readonly Code[] {
  return [...new Set(warnings.flatMap(({ code, severity }) => (severity === "warning" ? code : [])))]
}
