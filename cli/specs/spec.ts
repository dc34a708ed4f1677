import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Cause, Context } from "../../sdk/evaluation/evaluation.ts"
import type { Location, SourceFile, Span } from "../diagnostics/diagnostic.ts"

/** One spec file: what a flag is expected to give. */
export interface Spec {
  readonly source: SourceFile
  /** A flag that exists and has no errors. */
  readonly flag: string
  readonly cases: readonly SpecCase[]
}

/** Contexts, and what one flag must give them in one or more environments. */
export interface SpecCase {
  /** The author's name for it; `undefined`: reports name its line. */
  readonly name: string | undefined
  readonly environments: readonly string[]
  readonly location: Location
  /** Where failures point. */
  readonly span: Span
  readonly expected: ExpectedAnswer | ExpectedShare
}

/** Each of the contexts gets this answer. */
export interface ExpectedAnswer {
  readonly kind: "answer"
  readonly contexts: readonly Context[]
  /** Members that are left out may be anything. */
  readonly value?: Json
  /** A rule by its number in the file, or by its id. */
  readonly rule?: number | string
  readonly cause?: Cause
}

/** This share of the ids gets this value. */
export interface ExpectedShare {
  readonly kind: "share"
  /** All attributes but `by`. */
  readonly context: Context
  /** The attribute that contains the id. */
  readonly by: string
  /** The ids are "1", "2" and so on up to this number. */
  readonly of: number
  readonly value: Json
  /** In percent. */
  readonly is: number
  /** The allowed deviation, in percent of all ids. */
  readonly tolerance: number
}
