import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { FlagType } from "../../compile/grammar/flag-types.ts"
import type { Loss } from "./losses.ts"
import type { Node } from "./tree.ts"

/** What a rule asks, whatever the tool that it comes from. */
export type Condition =
  | { readonly kind: "always" }
  | Comparison
  | { readonly kind: "all" | "any" | "none"; readonly conditions: readonly Condition[] }
  | { readonly kind: "segment"; readonly name: string }
  | SharePart
  /** The other flag gives this value in the same environment. */
  | { readonly kind: "flag"; readonly key: string; readonly is: Json }

export interface Comparison {
  readonly kind: "comparison"
  readonly attribute: string
  readonly operator: string
  /** Absent for `exists` and `notExists`. */
  readonly value?: string | readonly string[]
  readonly ignoreCase?: boolean
}

/** A share of the texts of an attribute, in percent. */
export interface SharePart {
  readonly kind: "share"
  readonly by: string
  readonly to: number
  /** `undefined`: the flag's own. */
  readonly seed: string | undefined
}

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
  /** It says what the source leaves to its end, so that nobody needs to hear that it changes nothing. */
  readonly isImplied?: boolean
}

/** Where a text stands among all people, as a number below 1. The seed is the flag key where the flag has none. */
export type Bucket = (seed: string, text: string) => number

/** The value of an attribute; `undefined` where it is missing or null. */
export type Attributes = (name: string) => unknown

/** What a flag of the source gives, by the source's own law; `undefined` for a context that the tool does not accept. */
export type Meaning = (attributes: Attributes, bucket: Bucket) => Outcome | undefined

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

/** What a reader makes of all files. */
export interface Imported {
  readonly flags: readonly ImportedFlag[]
  readonly segments: readonly ImportedSegment[]
  readonly remarks: readonly Remark[]
}

export const always: Condition = { kind: "always" }
export const never: Condition = { kind: "any", conditions: [] }
export const toCaller: Outcome = { kind: "caller" }

export function toValue(value: Json): Outcome {
  return { kind: "value", value }
}

/** Every one holds. */
export function all(...conditions: readonly Condition[]): Condition {
  const parts = flat("all", conditions).filter(({ kind }) => kind !== "always")
  if (parts.some(isNever)) return never
  return parts.length === 0 ? always : (single(parts) ?? { kind: "all", conditions: parts })
}

/** At least one holds. */
export function any(...conditions: readonly Condition[]): Condition {
  const parts = flat("any", conditions).filter((part) => !isNever(part))
  if (parts.some(({ kind }) => kind === "always")) return always
  return single(parts) ?? { kind: "any", conditions: parts }
}

/** None holds. */
export function none(...conditions: readonly Condition[]): Condition {
  const [only, another] = flat("any", conditions).filter((part) => !isNever(part))
  if (only === undefined) return always
  if (another !== undefined) {
    const parts = flat("any", conditions).filter((part) => !isNever(part))
    return parts.some(({ kind }) => kind === "always") ? never : { kind: "none", conditions: parts }
  }
  if (only.kind === "always") return never
  if (only.kind === "comparison" && only.operator === "exists") return { ...only, operator: "notExists" }
  if (only.kind === "comparison" && only.operator === "notExists") return { ...only, operator: "exists" }
  return only.kind === "none" ? any(...only.conditions) : { kind: "none", conditions: [only] }
}

export function isNever(condition: Condition): boolean {
  return condition.kind === "any" && condition.conditions.length === 0
}

/** A comparison with a text; of several texts at least one fits. */
export function compare(
  attribute: string,
  operator: string,
  values: readonly string[],
  ignoreCase = false,
): Condition {
  const unique = [...new Set(values)]
  const one = (operator: string, value: string | readonly string[]): Condition => ({
    kind: "comparison",
    attribute,
    operator,
    value,
    ...(ignoreCase && { ignoreCase }),
  })
  if (operator === "equals" && unique.length > 1) return one("in", unique)
  return any(...unique.map((value) => one(operator, value)))
}

export function exists(attribute: string): Condition {
  return { kind: "comparison", attribute, operator: "exists" }
}

function flat(kind: "all" | "any", conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((one) => (one.kind === kind && !isNever(one) ? one.conditions : [one]))
}

function single([only, another]: readonly Condition[]): Condition | undefined {
  return another === undefined ? only : undefined
}

/** The type of flags that can have these values. */
export function typeOf(values: readonly Json[]): FlagType {
  const types = new Set(values.map((value) => typeof value))
  const [only] = types
  if (types.size !== 1 || only === undefined) return "json"
  return only === "boolean" || only === "string" || only === "number" ? only : "json"
}
