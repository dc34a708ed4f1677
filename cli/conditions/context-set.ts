import type { Condition as Encoded } from "../../sdk/evaluation/condition.ts"
import { isOperator } from "../../sdk/evaluation/operators.ts"
import { textsOf } from "../language/comparisons.ts"
import {
  type Comparison,
  type Condition,
  type FlagUse,
  fold,
  isAlways,
  type Share,
} from "../language/condition.ts"
import { encodeLeaf } from "../language/encode.ts"
import { type Predicate, predicateOf, type SetScope } from "./predicate.ts"

/**
 * A set of evaluation contexts, as a formula in which only predicates are complemented. Union, intersection and
 * complement are therefore exact and cheap; the work is in finding a member.
 */
export type ContextSet =
  /** The contexts that match the predicate, or those that do not. */
  | { readonly kind: "predicate"; readonly predicate: Predicate; readonly holds: boolean }
  /** A set of which only the name is known, or its complement. Sets with equal names are equal. */
  | {
      readonly kind: "opaque"
      readonly name: string
      readonly holds: boolean
      readonly because: "operator" | "bound"
    }
  /** The contexts that are in all parts; every context if there are no parts. */
  | { readonly kind: "all"; readonly parts: readonly ContextSet[] }
  /** The contexts that are in at least one part; no context if there are no parts. */
  | { readonly kind: "any"; readonly parts: readonly ContextSet[] }

export const everything: ContextSet = { kind: "all", parts: [] }
export const nothing: ContextSet = { kind: "any", parts: [] }

/** Whether a set comes from a condition that cannot be read, or from an empty list of parts. */
export function isNothing(set: ContextSet): boolean {
  return set.kind === "any" && set.parts.length === 0
}

export function intersection(...parts: readonly ContextSet[]): ContextSet {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "all", parts }
}

export function union(...parts: readonly ContextSet[]): ContextSet {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "any", parts }
}

export function complement(set: ContextSet): ContextSet {
  switch (set.kind) {
    case "all":
      return { kind: "any", parts: set.parts.map(complement) }
    case "any":
      return { kind: "all", parts: set.parts.map(complement) }
    default:
      return { ...set, holds: !set.holds }
  }
}

/** A name that is equal for sets that are written the same way. */
export function nameOf(set: ContextSet): string {
  switch (set.kind) {
    case "predicate": {
      const { attribute, operator, value } = set.predicate
      return JSON.stringify([set.holds, attribute, operator, value])
    }
    case "opaque":
      return JSON.stringify([set.holds, set.name])
    default:
      return `${set.kind}(${set.parts.map(nameOf).join()})`
  }
}

/**
 * The contexts that match a condition of a flag, with what its references mean. The scope belongs to the flag's key. A
 * condition with an operand that cannot be read matches nothing, even inside `none`. `givenBy` has the contexts to which
 * another flag gives a value; without it, they are what its reference means.
 */
export function contextsOf(
  condition: Condition,
  scope: SetScope,
  givenBy?: (use: FlagUse) => ContextSet,
): ContextSet {
  const set = fold<ContextSet | undefined>(
    condition,
    (node, parts) => {
      if (node.kind === "comparison" || node.kind === "share") return leafSet(node, scope)
      if (node.kind === "flag" && givenBy !== undefined) return givenBy(node)
      const sets = parts.flatMap((part) => part ?? [])
      if (sets.length < parts.length) return undefined
      if (node.kind === "all") return intersection(...sets)
      return node.kind === "none" ? complement(union(...sets)) : union(...sets)
    },
    "meanings",
  )
  return set ?? nothing
}

function leafSet(leaf: Comparison | Share, scope: SetScope): ContextSet | undefined {
  if (isAlways(leaf)) return everything
  const encoded = encodeLeaf(leaf, scope.seed)
  if (!isOperator(encoded.operator)) return opaque(encoded, "operator")
  const predicate = predicateOf(encoded, scope)
  if (predicate === undefined) return undefined
  return textsOf(encoded).some(({ length }) => length > longest)
    ? opaque(encoded, "bound")
    : { kind: "predicate", predicate, holds: true }
}

function opaque({ attribute, operator, value }: Encoded, because: "operator" | "bound"): ContextSet {
  return { kind: "opaque", name: JSON.stringify([operator, attribute, value]), holds: true, because }
}

/** Characters. Searching one long string for another can take the product of their lengths. */
const longest = 1_000
