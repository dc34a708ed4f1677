import type { Json } from "../../sdk/contract/snapshot.ts"
import type { GroupKind } from "../../sdk/evaluation/condition.ts"
import { isAlways as matchesEveryone } from "../../sdk/evaluation/operators.ts"
import type { Span } from "../diagnostics/diagnostic.ts"
import { presenceAsked, shareOperator } from "./comparisons.ts"
import { operators, operatorThatAsks } from "./operators.ts"
import type { Asked } from "./question.ts"
import { presenceTwin } from "./related-operators.ts"
import type { MappingNode, Node } from "./tree.ts"

/**
 * What a rule requires of a context: the one form between files and documents. A reference keeps its name and its
 * meaning, so a sentence can use the name and the solver the meaning. SDKs get `encode`'s wire format. Conditions with
 * different places are equal, and so are those whose shares have different texts for the same number.
 */
export type Condition = Comparison | Group | Share | SegmentUse | FlagUse

/** A condition about one attribute. */
export interface Comparison {
  readonly kind: "comparison"
  /** `""` for `always`. */
  readonly attribute: string
  /** Without `IgnoreCase`, which is a flag of its own until it is encoded. */
  readonly operator: string
  /** `""` if the operator takes none. */
  readonly operand: string | readonly string[]
  /** Whether the case of A to Z is ignored; absent: it is not. */
  readonly ignoreCase?: boolean
  /** The file that has the operand, a list: its path in the flags folder, with `/`; absent: its author wrote it here. */
  readonly file?: string
  readonly at?: Place
}

/** Conditions, of which all, any or none must hold. */
export interface Group {
  readonly kind: GroupKind
  readonly parts: readonly Condition[]
  /** The ramp that its author wrote, for which the group stands; absent: its parts were written. */
  readonly ramp?: Ramp
  readonly at?: Place
}

/**
 * A share that grows by itself: users of `by` in the range that begins at `from` and is as wide as the share of the last stage
 * that has begun. It stands for `any` of its stages, of which each is `all` of a comparison of the time and a share.
 */
export interface Ramp extends Omit<Share, "kind" | "to" | "text" | "at"> {
  readonly stages: readonly RampStage[]
}

/** A stage of a ramp. */
export interface RampStage {
  /** When it begins, as its author wrote it. */
  readonly at: string
  /** In percent. */
  readonly share: number
}

/** Whether it stands for a ramp. */
export function isRamp(condition: Condition): condition is Group & { readonly ramp: Ramp } {
  return condition.kind === "any" && condition.ramp !== undefined
}

/** A comparison with the lines of a file. Without `resolved`, its operand is empty. */
export interface ListUse extends Comparison {
  readonly file: string
}

/** A range of the users that a seed puts in order, in percent: from `from` to below `to`. */
export interface Share {
  readonly kind: "share"
  /** The attribute that is hashed. */
  readonly by: string
  readonly from: number
  readonly to: number
  /** `undefined`: the key of the flag that has the condition. */
  readonly seed: string | undefined
  /**
   * `to` as its author wrote it beside the operator `percentage`, which is sent as it stands; absent if written as
   * `share`. Such a share begins at 0 and has no seed.
   */
  readonly text?: string
  readonly at?: Place
}

/** The condition of a segment. */
export interface SegmentUse {
  readonly kind: "segment"
  readonly name: string
  /** `undefined` if there is no such segment, it or one that it uses has mistakes, or no one looked it up, as in `import`. */
  readonly means: Condition | undefined
  readonly at?: Place
}

/** Another flag gives a value in the same environment. */
export interface FlagUse {
  readonly kind: "flag"
  readonly key: string
  readonly environment: string
  readonly is: Json
  /** Means the same in every flag: see `seededBy`. `undefined` as for a segment. */
  readonly means: Condition | undefined
  readonly at?: Place
}

/** The condition of a segment or about another flag, which refers to it by name. */
export type Reference = SegmentUse | FlagUse

/** Where an author wrote a condition. What is missing or no text has no span; the condition then has `""` for it. */
export interface Place {
  /** The mapping around it: the rule, the segment's file, an item of a group or an arm of a split. */
  readonly node: MappingNode
  /** The field that makes it what it is: `all`, `share`, `ramp`, `segment` or `flag`; absent for operator, attribute and value. */
  readonly name?: Span
  readonly attribute?: Span | undefined
  readonly operator?: Span | undefined
  /** Of a comparison, the operand; else of the field at `name`. */
  readonly value?: Node | undefined
}

/** Whether an operator compares with something. A project's own does. */
export function takesOperand(operator: string): boolean {
  return operators.get(operator)?.operand !== "nothing"
}

/** Whether a condition asks that an attribute is there (true) or missing (false); `undefined` if it asks more or less. */
export function presenceIn(condition: Condition): boolean | undefined {
  return condition.kind === "comparison" ? presenceAsked(condition.operator) : undefined
}

/** The attribute that is compared or hashed. */
export function attributeOf(condition: Comparison | Share): string {
  return condition.kind === "share" ? condition.by : condition.attribute
}

/** The operator of a comparison; of a share, the one that files have for it. */
export function operatorIn(condition: Comparison | Share): string {
  return condition.kind === "share" ? shareOperator : condition.operator
}

/** What is compared with, as text: a list as a JSON array; of a share, where it ends. */
export function operandText(condition: Comparison | Share): string {
  if (condition.kind === "share") return condition.text ?? String(condition.to)
  return typeof condition.operand === "string" ? condition.operand : JSON.stringify(condition.operand)
}

/** The condition that everyone fulfils. */
export const always = comparison({ kind: "always" })

/** An attribute is a text. */
export function isText(attribute: string, text: string): Comparison {
  return comparison({ kind: "texts", isList: false }, attribute, text)
}

/** An attribute is there. */
export function isPresent(attribute: string): Comparison {
  return comparison({ kind: "presence", isPresent: true }, attribute)
}

function comparison(asked: Asked, attribute = "", operand = ""): Comparison {
  return { kind: "comparison", attribute, operator: operatorThatAsks(asked), operand }
}

/** The condition that no one fulfils. Files and documents cannot have it: a group there has parts. */
export const never: Condition = { kind: "any", parts: [] }

/** Whether a condition is `always`. Others that everyone fulfils are not recognized. */
export function isAlways(condition: Condition): boolean {
  return condition.kind === "comparison" && matchesEveryone(condition.operator)
}

/** Whether a condition is `never`. Others that no one fulfils are not recognized. */
export function isNever(condition: Condition): boolean {
  return condition.kind === "any" && condition.parts.length === 0
}

/** All conditions hold; `always` for no conditions. Without groups in groups, `always` and `never`, where they change nothing. */
export function all(...conditions: readonly Condition[]): Condition {
  const parts = flat("all", conditions).filter((part) => !isAlways(part))
  if (parts.some(isNever)) return never
  return parts.length === 0 ? always : (single(parts) ?? { kind: "all", parts })
}

/** At least one condition holds; `never` for no conditions. Simplified as `all` is. */
export function any(...conditions: readonly Condition[]): Condition {
  const parts = flat("any", conditions).filter((part) => !isNever(part))
  if (parts.some(isAlways)) return always
  return single(parts) ?? { kind: "any", parts }
}

/** No condition holds; `always` for no conditions. Simplified as `all` is. */
export function none(...conditions: readonly Condition[]): Condition {
  const parts = flat("any", conditions).filter((part) => !isNever(part))
  if (parts.some(isAlways)) return never
  const only = single(parts)
  if (only === undefined) return parts.length === 0 ? always : { kind: "none", parts }
  if (only.kind === "none") return any(...only.parts)
  const opposite = only.kind === "comparison" && presenceTwin(only.operator)
  return opposite ? { ...only, operator: opposite } : { kind: "none", parts: [only] }
}

/** What makes a group of each kind, simplified. */
export const groups = { all, any, none }

function flat(kind: "all" | "any", conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((condition) =>
    condition.kind === kind && !isNever(condition) ? condition.parts : [condition],
  )
}

function single([only, another]: readonly Condition[]): Condition | undefined {
  return another === undefined ? only : undefined
}

/** How far a walk goes: into groups, or also into what segments and flags mean. */
export type Reach = "groups" | "meanings"

function partsOf(condition: Condition, reach: Reach): readonly Condition[] {
  if ("parts" in condition) return condition.parts
  return reach === "meanings" && "means" in condition && condition.means !== undefined
    ? [condition.means]
    : []
}

/** The condition and all conditions in it, each before its parts. */
export function* visit(condition: Condition, reach: Reach = "groups"): Generator<Condition, void> {
  yield condition
  for (const part of partsOf(condition, reach)) yield* visit(part, reach)
}

/**
 * What `make` returns for the condition, given what it returned for each of its parts: those of a group and, if walked to,
 * the meaning of a segment or flag.
 */
export function fold<T>(
  condition: Condition,
  make: (condition: Condition, parts: readonly T[]) => T,
  reach: Reach = "groups",
): T {
  const parts = partsOf(condition, reach).map((part) => fold(part, make, reach))
  return make(condition, parts)
}

/** The attributes that a condition compares or hashes, with what its references mean; a name can repeat. */
export function attributesIn(condition: Condition): readonly string[] {
  return [...visit(condition, "meanings")].flatMap((part) =>
    part.kind === "comparison" || part.kind === "share" ? [attributeOf(part)] : [],
  )
}

/** How large a condition is, with what its references mean; a comparison is 0 deep and has 0 conditions. */
export interface Size {
  /** How deep its groups are nested. */
  readonly depth: number
  /** How many conditions its groups have, counting groups. */
  readonly conditions: number
}

/** The size of a condition. */
export function sizeOf(condition: Condition): Size {
  return fold<Size>(
    condition,
    (node, sizes) => {
      const depth = sizes.reduce((most, size) => Math.max(most, size.depth), 0)
      const conditions = sizes.reduce((sum, size) => sum + size.conditions, 0)
      return "parts" in node
        ? { depth: depth + 1, conditions: conditions + sizes.length }
        : { depth, conditions }
    },
    "meanings",
  )
}

/** The condition with each of its leaves replaced, and simplified as `all` is, but for ramps. Its groups have no places. */
export function mapLeaves(
  condition: Condition,
  replace: (leaf: Exclude<Condition, Group>) => Condition,
): Condition {
  return fold(condition, (node, parts: readonly Condition[]): Condition => {
    if (!("parts" in node)) return replace(node)
    if (node.ramp === undefined) return groups[node.kind](...parts)
    const [share] = parts.flatMap((part) => [...visit(part)].filter((leaf) => leaf.kind === "share"))
    return { ...node, parts, ramp: { ...node.ramp, by: share?.by ?? node.ramp.by } }
  })
}

/**
 * The condition with the users that it has in the flag with this key, in whatever flag it is: each share names its seed, or each
 * that lacks one it needs.
 */
export function seededBy(
  key: string,
  condition: Condition,
  lacksSeed = ({ seed }: Share) => seed === undefined,
): Condition {
  return fold(
    condition,
    (node, parts: readonly Condition[]): Condition => {
      if ("parts" in node) return { ...node, parts }
      if (node.kind === "segment") return { ...node, means: parts[0] }
      if (node.kind !== "share" || !lacksSeed(node)) return node
      const { text: _, ...share } = node
      return { ...share, seed: key }
    },
    "meanings",
  )
}
