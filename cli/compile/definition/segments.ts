import type { Json } from "../../../sdk/contract/snapshot.ts"
import type { Condition, FlagUse, Reference } from "../../language/condition.ts"

/** The segments at one point in time, as conditions use them. */
export interface Segments {
  /** The names of all segments, including those with mistakes. */
  readonly names: readonly string[]
  /**
   * What `segment: <name>` means, no larger than any rule may be; `undefined` if there is no such segment, or it or one that
   * it uses has mistakes.
   */
  readonly get: (name: string) => Condition | undefined
  /** The flags that conditions may refer to; absent if none are needed. */
  readonly flags?: OtherFlags
}

/** The flags of the project, as a condition of another flag sees them. */
export interface OtherFlags {
  readonly keys: () => readonly string[]
  readonly get: (key: string) => OtherFlag | undefined
  /** What a condition about a flag means; `undefined` if there is no such flag, it has mistakes, or it depends on itself. */
  readonly meaningOf: (use: FlagUse) => Condition | undefined
}

export interface OtherFlag {
  /** False if its file is a segment with the wrong name. */
  readonly isFlag: boolean
  readonly isBoolean: boolean
  /** All values that it can give in any environment. */
  readonly values: readonly Json[]
  /** The values that it can give in one environment. */
  readonly valuesIn: (environment: string) => readonly Json[]
  /** The segments and flags that its conditions refer to in an environment. */
  readonly uses: (environment: string) => readonly Reference[]
}

/** What an editor offers for `segment`. */
export interface SegmentWord {
  readonly name: string
  readonly description: string
}

/** What references mean with these segments and flags. */
export function meaningIn(segments: Segments): (reference: Reference) => Condition | undefined {
  return (reference) =>
    reference.kind === "segment" ? segments.get(reference.name) : segments.flags?.meaningOf(reference)
}

/** No segments. */
export const noSegments: Segments = { names: [], get: () => undefined }
