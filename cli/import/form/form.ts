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

/** A condition that is no group. */
export type Part = Exclude<Condition, { readonly conditions: readonly Condition[] }>

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

/** The conditions below groups. */
export function partsOf(condition: Condition): readonly Part[] {
  return "conditions" in condition ? condition.conditions.flatMap(partsOf) : [condition]
}

/** The condition with others in place of those below its groups. */
export function replaceParts(condition: Condition, replace: (part: Part) => Condition): Condition {
  if (!("conditions" in condition)) return replace(condition)
  const group = { all, any, none }[condition.kind]
  return group(...condition.conditions.map((part) => replaceParts(part, replace)))
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

/** How two values lie to each other. */
export type Order = "eq" | "lt" | "lte" | "gt" | "gte"

const orderOperators = {
  number: { lt: "lessThan", lte: "lessThanOrEquals", gt: "greaterThan", gte: "greaterThanOrEquals" },
  version: {
    ...{ eq: "semverEquals", lt: "semverLessThan", lte: "semverLessThanOrEquals" },
    ...{ gt: "semverGreaterThan", gte: "semverGreaterThanOrEquals" },
  },
  moment: { lt: "before", lte: "beforeOrEquals", gt: "after", gte: "afterOrEquals" },
} as const

/** An attribute that lies so to one of the operands, which are numbers, versions or moments of RFC 3339. */
export function compareOrder(
  attribute: string,
  kind: keyof typeof orderOperators,
  order: Order,
  operands: readonly string[],
): Condition {
  const operators: Readonly<Partial<Record<Order, string>>> = orderOperators[kind]
  const { [order]: operator, gte = "", lte = "" } = operators
  if (operator !== undefined) return compare(attribute, operator, operands)
  return any(...operands.map((one) => all(compare(attribute, gte, [one]), compare(attribute, lte, [one]))))
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
