import type { Json } from "../../../sdk/contract/snapshot.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import type { Condition } from "../../language/condition.ts"
import type { FlagType } from "../../language/flag-types.ts"
import type { Loss } from "./losses.ts"
import type { Node } from "./tree.ts"

/** The result of an evaluation: a value, or the default that the caller passes. */
export type Outcome = { readonly kind: "value"; readonly value: Json } | { readonly kind: "caller" }

export interface Split {
  readonly kind: "split"
  readonly by: string
  readonly seed: string | undefined
  /** Shares in percent, which add up to 100 or less. */
  readonly into: readonly { readonly share: number; readonly value: Json }[]
}

/** A rule: the users it matches, and what they get. */
export interface Guard {
  readonly when: Condition
  readonly gives: Outcome | Split
  /** The rule in the source. */
  readonly node: Node
  /** The source does not state this rule, so no remark is made if it changes nothing. */
  readonly isImplied?: boolean
}

/** A string's position among all users, from 0 to below 1. The seed is the flag key if the flag has none. */
export type Bucket = (seed: string, text: string) => number

/** The value of an attribute; `undefined` where it is missing or null. */
export type Attributes = (name: string) => unknown

/**
 * Evaluates a flag by the other tool's own rules; `undefined` for a context that the tool does not accept. With `isOn`, as
 * if the flag were on.
 */
export type Meaning = (attributes: Attributes, bucket: Bucket, isOn?: boolean) => Outcome | undefined

/** A flag in one environment. */
export interface Configuration {
  readonly environment: string
  readonly node: Node
  /** If not, it returns `otherwise`; the guards are then its rules for when it is on. */
  readonly enabled: boolean
  readonly guards: readonly Guard[]
  /** For users that no guard matches. */
  readonly otherwise: Outcome
  /** What it returns when off, if the file says so. */
  readonly off: Outcome | undefined
  readonly meaning: Meaning
  readonly losses: readonly Loss[]
}

/** A flag of the source, in all environments. */
export interface ImportedFlag {
  readonly key: string
  readonly name: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly owner: string | undefined
  /** Its values by name, for the file's comment. */
  readonly variations: readonly (readonly [string, Json])[]
  readonly configurations: readonly Configuration[]
}

/** A condition with a name, in one environment. */
export interface ImportedSegment {
  readonly environment: string
  readonly name: string
  readonly description: string | undefined
  readonly condition: Condition
}

/** Something odd in the source that loses nothing. */
export interface Remark {
  readonly node: Node
  /** `undefined`: a page of the source. */
  readonly flag?: string | undefined
  /** `undefined`: all environments. */
  readonly environment?: string | undefined
  /** Our words, the same for every flag that it applies to. */
  readonly text: string
  /** What applies only to this flag, such as the id that appears twice. */
  readonly detail?: Phrase | undefined
}

/** What a reader finds for a flag in one environment. */
export interface Found extends Pick<ImportedFlag, "key"> {
  readonly configuration: Configuration
  /** What is the same in all environments. */
  readonly about: () => Partial<Omit<ImportedFlag, "key" | "configurations">>
}

/** The remark on a flag whose prerequisite is never met. */
export function neverMet(node: Node, flag: string, prerequisite: string, environment: string): Remark {
  const text = "it depends on a value that another flag never returns"
  return { node, flag, environment, text, detail: phrase`${prerequisite}` }
}

/** The remark on a flag that the source lists without an environment. */
export function inNoEnvironment(node: Node, flag: string): Remark {
  return { node, flag, text: "it has no environments, and is left out" }
}

/** Remarks on rules that are switched off in the source. */
export function disabledRules(nodes: readonly Node[], flag: string, environment: string): readonly Remark[] {
  return nodes.map((node) => ({ node, flag, environment, text: "a disabled rule is left out" }))
}

/** The loss if no file has the prerequisite, or only an archived one. */
export function missingPrerequisite(key: string): Phrase {
  return phrase`it depends on ${key}, which is not imported with it`
}

/** What a reader finds in all files. */
export interface Imported {
  readonly flags: readonly ImportedFlag[]
  readonly segments: readonly ImportedSegment[]
  readonly remarks: readonly Remark[]
  /** Environments that the user names, also those without flags. */
  readonly named?: readonly string[]
}

export const toCaller: Outcome = { kind: "caller" }

export function toValue(value: Json): Outcome {
  return { kind: "value", value }
}

/** The type of a flag with these values. */
export function typeOf(values: readonly Json[]): FlagType {
  const types = new Set(values.map((value) => typeof value))
  const [only] = types
  if (types.size !== 1 || only === undefined) return "json"
  return only === "boolean" || only === "string" || only === "number" ? only : "json"
}
