import type { Json } from "../../proxy/contract/snapshot.ts"
import type { Cause, Context } from "../../sdk/evaluation/evaluation.ts"
import type { Location, SourceFile, Span } from "../diagnostics/diagnostic.ts"

/** What a flag is expected to give: one spec file. */
export interface Spec {
  readonly source: SourceFile
  /** A flag that exists and has no errors. */
  readonly flag: string
  readonly cases: readonly SpecCase[]
}

/** Contexts, and what one flag must give them in one or more environments. */
export interface SpecCase {
  /** What the author calls it; `undefined`: it goes by its line. */
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
  readonly rule?: ExpectedRule
  readonly cause?: Cause
}

/** A rule by its position, counted from 1, or by its id. */
export type ExpectedRule = number | string

/** So many of the ids get this value. */
export interface ExpectedShare {
  readonly kind: "share"
  /** Of all attributes but `by`. */
  readonly context: Context
  /** The attribute that holds the id. */
  readonly by: string
  /** The ids are "1", "2" and so on up to this number. */
  readonly of: number
  readonly value: Json
  /** In percent. */
  readonly is: number
  /** How far off it may be, in percent of all ids. */
  readonly tolerance: number
}
