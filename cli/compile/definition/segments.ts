import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"

/** The segments at one point in time, as conditions use them. */
export interface Segments {
  /** The names of all segments, including those with mistakes. */
  readonly names: readonly string[]
  /** What `segment: <name>` stands for; `undefined` if there is no such segment, or it has mistakes. */
  readonly get: (name: string) => ExpandedSegment | undefined
  /** The flags that conditions may refer to; absent if none are needed. */
  readonly flags?: OtherFlags
}

/** The flags of the project, as a condition of another flag sees them. */
export interface OtherFlags {
  readonly keys: () => readonly string[]
  readonly get: (key: string) => OtherFlag | undefined
}

export interface OtherFlag {
  /** False if its file is a segment with the wrong name. */
  readonly isFlag: boolean
  readonly isBoolean: boolean
  /** All values that it can give in any environment. */
  readonly values: readonly Json[]
  /** The values that it can give in one environment. */
  readonly valuesIn: (environment: string) => readonly Json[]
  /** The names of the segments that it uses in an environment, including those for other flags. */
  readonly uses: (environment: string) => ReadonlySet<string>
}

/** What an editor offers for `segment`. */
export interface SegmentWord {
  readonly name: string
  readonly description: string
}

/** A segment's condition, with all segments in it expanded. */
export interface ExpandedSegment {
  /** In its wire format. */
  readonly condition: Condition
  /** How deep its groups are nested; 0 for a comparison. */
  readonly depth: number
  /** How many conditions its groups have, counting groups; 0 for a comparison. */
  readonly conditions: number
}

/** No segments. */
export const noSegments: Segments = { names: [], get: () => undefined }
