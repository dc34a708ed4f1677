import type { Json, SnapshotDocument } from "../../sdk/contract/snapshot.ts"
import type { Location } from "../diagnostics/diagnostic.ts"
import type { Link } from "../flag/file-facts.ts"
import type { RampInRule } from "../flag/times.ts"
import type { RuleNumber } from "../language/flag.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"

/** A value that a condition expects another flag to give. */
export interface AskedFlag {
  readonly key: string
  readonly gives: Json
  readonly isBoolean: boolean
}

/** The commit or publication that flags are from. */
export interface Origin {
  readonly revision: string
  /** Its name, time and subject for a reader; printable. */
  readonly words: string
}

/** What depends on the time in a set of flags. Times are in milliseconds since the epoch. */
export interface Timed {
  /** The attribute that has the time. */
  readonly clock: string
  /** The time that was asked about; absent: now. */
  readonly asOf?: number
  /** From when on a flag may give something else: first a time, then those to come; empty if it never does. */
  readonly momentsOf: (key: string, from: number) => readonly number[]
  readonly rampsOf: (key: string) => readonly RampInRule[]
}

/** The flags to evaluate, wherever they were read. */
export interface FlagSet {
  readonly document: SnapshotDocument
  readonly environment: string
  /** Where they are from; absent: the work tree. */
  readonly origin?: Origin
  /**
   * Where a rule of a flag was written, or a condition in it: `inner` has positions in the lists of its groups, outermost
   * first. All are counted from 0. `undefined` in a publication, which has no locations.
   */
  readonly locate: (key: string, rule: number, inner?: readonly number[]) => Location | undefined
  /** How the rule at a position, counted from 0, is numbered in its file; absent in a publication. */
  readonly numberOf?: (key: string, rule: number) => RuleNumber | undefined
  /** The attributes that the project lists; absent if it lists none, and in a publication. */
  readonly attributes?: KnownAttributes
  /** What depends on the time; absent if the project has no clock. */
  readonly timed?: Timed
  /** The links in the flag's file; absent in a publication. */
  readonly linksOf?: (key: string) => readonly Link[]
  /** The other flag and value in that rule or condition, by the same path; absent in a publication. */
  readonly askedAt?: (key: string, rule: number, inner: readonly number[]) => AskedFlag | undefined
}
