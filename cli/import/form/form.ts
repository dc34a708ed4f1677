import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { FlagType } from "../../compile/grammar/flag-types.ts"
import type { Condition } from "./condition.ts"
import type { Loss } from "./losses.ts"
import type { Node } from "./tree.ts"

/** What an evaluation comes to: a value, or the default that the caller brings. */
export type Outcome = { readonly kind: "value"; readonly value: Json } | { readonly kind: "caller" }

export interface Split {
  readonly kind: "split"
  readonly by: string
  readonly seed: string | undefined
  /** Shares in percent, which add up to 100 or less. */
  readonly into: readonly { readonly share: number; readonly value: Json }[]
}

/** Whom a rule is for, and what they get. */
export interface Guard {
  readonly when: Condition
  readonly gives: Outcome | Split
  /** Where the source says so. */
  readonly node: Node
  /** It says what the source leaves to its end, so that no one needs to hear that it changes nothing. */
  readonly isImplied?: boolean
}

/** Where a text stands among all people, as a number below 1. The seed is the flag key where the flag has none. */
export type Bucket = (seed: string, text: string) => number

/** The value of an attribute; `undefined` where it is missing or null. */
export type Attributes = (name: string) => unknown

/**
 * What a flag of the source gives, by the source's own law; `undefined` for a context that the tool does not accept. With
 * `isOn`, as if it were switched on.
 */
export type Meaning = (attributes: Attributes, bucket: Bucket, isOn?: boolean) => Outcome | undefined

/** A flag in one environment. */
export interface Configuration {
  readonly environment: string
  readonly node: Node
  /** Switched off, it gives `otherwise`; the guards are what it gives when it is switched on. */
  readonly enabled: boolean
  readonly guards: readonly Guard[]
  /** For whom no guard is. */
  readonly otherwise: Outcome
  /** What it gives switched off, if the tool has a switch and says so. */
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
  /** The values that it can have by their names, for the file's comment. */
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

/** Something in the source that is worth a look, and no loss. */
export interface Remark {
  readonly node: Node
  readonly text: string
}

/** What a reader finds of a flag in one environment. */
export interface Found extends Pick<ImportedFlag, "key"> {
  readonly configuration: Configuration
  /** What is said of the flag in all environments. */
  readonly about: () => Partial<Omit<ImportedFlag, "key" | "configurations">>
}

const aboutNothing = { name: undefined, description: undefined, tags: [], owner: undefined, variations: [] }

/** The flags, each with all that was found of it. */
export function groupFlags(found: readonly Found[]): readonly ImportedFlag[] {
  return [...Map.groupBy(found, ({ key }) => key)].map(([key, own]) => ({
    ...{ key, ...aboutNothing, ...own[0]?.about() },
    configurations: own.map(({ configuration }) => configuration),
  }))
}

/** A remark on a flag whose prerequisite no one meets. */
export function neverMet(key: string, prerequisite: string, environment: string): string {
  return `\`${key}\` depends on what \`${prerequisite}\` never gives in ${environment}`
}

/** What is lost where the prerequisite is in none of the files. */
export function missingPrerequisite(key: string): string {
  return `it depends on \`${key}\`, which the files do not have`
}

/** What a reader makes of all files. */
export interface Imported {
  readonly flags: readonly ImportedFlag[]
  readonly segments: readonly ImportedSegment[]
  readonly remarks: readonly Remark[]
}

export const toCaller: Outcome = { kind: "caller" }

export function toValue(value: Json): Outcome {
  return { kind: "value", value }
}

/** The type of flags that can have these values. */
export function typeOf(values: readonly Json[]): FlagType {
  const types = new Set(values.map((value) => typeof value))
  const [only] = types
  if (types.size !== 1 || only === undefined) return "json"
  return only === "boolean" || only === "string" || only === "number" ? only : "json"
}
