import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"

/** The segments of one moment, as conditions use them. */
export interface Segments {
  /** The names of all of them, those with mistakes included. */
  readonly names: readonly string[]
  /** What `segment: <name>` stands for; `undefined` if there is no such segment, or it has mistakes. */
  readonly get: (name: string) => ExpandedSegment | undefined
  /** The flags that conditions may ask; absent if no one asks. */
  readonly flags?: OtherFlags
}

/** The flags of the project, as a condition of another flag sees them. */
export interface OtherFlags {
  readonly keys: () => readonly string[]
  readonly get: (key: string) => OtherFlag | undefined
}

export interface OtherFlag {
  /** Not so if its file is a segment under a wrong name. */
  readonly isFlag: boolean
  readonly isBoolean: boolean
  /** All that it can give, in any environment. */
  readonly values: readonly Json[]
  /** What it can give in one environment. */
  readonly valuesIn: (environment: string) => readonly Json[]
  /** The names of the segments that it uses in an environment, flags that it asks included. */
  readonly uses: (environment: string) => ReadonlySet<string>
}

/** What an editor offers for `segment`. */
export interface SegmentWord {
  readonly name: string
  readonly description: string
}

/** A segment's condition without any segment in it. */
export interface ExpandedSegment {
  /** As it travels. */
  readonly condition: Condition
  /** How many groups lie in each other; 0 for a comparison. */
  readonly depth: number
  /** How many conditions its groups have, groups included; 0 for a comparison. */
  readonly conditions: number
}

/** Where there are none. */
export const noSegments: Segments = { names: [], get: () => undefined }
