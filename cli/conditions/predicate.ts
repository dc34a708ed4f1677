import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { bindOperator, type OperatorScope, scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"
import { operatorOf, operatorThatAsks } from "../language/operators.ts"
import { type Constraint, constraintOf, constraintOfAnyVersion } from "./constraint.ts"

/** What one operator requires of one attribute. */
export interface Predicate extends Condition {
  /** Whether it matches the attribute's value; `undefined` is a missing attribute. */
  readonly matches: (value: unknown) => boolean
  /** What one comparison costs, in quarters of a step. */
  readonly cost: number
  /** What it requires of a scalar; a boolean if all scalars give the same answer. */
  readonly scalar: Requirement | boolean
  readonly list: ListRequirement
  /** Whether the attribute is never a list or an object. */
  readonly isScalar: boolean
}

/** What operators need, and which attributes are known to be neither a list nor an object. */
export interface SetScope extends OperatorScope {
  readonly isScalar?: (attribute: string) => boolean
}

/** What the conditions of a project mean outside its flags. */
export interface Language {
  readonly compileExpression: CompileExpression
  /** The project's attributes. */
  readonly attributes: KnownAttributes
}

/**
 * The scope of a flag's conditions; with `""`, of those that belong to no flag. An attribute with a declared type has one value,
 * unless it is a list.
 */
export function scopeOfKey(key: string, { compileExpression, attributes }: Language): SetScope {
  const isScalar = (attribute: string) => (attributes?.get(attribute)?.type ?? "list") !== "list"
  return { ...scopeOfFlag(key, { compileExpression }), isScalar }
}

/** A constraint that must hold, or one that must not. */
export interface Requirement {
  readonly constraint: Constraint
  readonly holds: boolean
}

/** What a predicate requires of a list. `otherVersion`: the list is empty or has a version, and has no equal one. */
export type ListRequirement =
  | boolean
  | { readonly kind: "some" | "none"; readonly constraint: Constraint }
  | { readonly kind: "otherVersion"; readonly equal: Constraint; readonly any: Constraint }

/** The predicate of a comparison; `undefined` if the operator cannot read its operand. */
export function predicateOf(condition: Condition, scope: SetScope): Predicate | undefined {
  const { attribute, operator, value } = condition
  const [bound, known] = [bindOperator(operator, value, scope), operatorOf(operator)]
  if (bound === undefined || known === undefined) return undefined
  const { question, negates } = known
  const isScalar = scope.isScalar?.(attribute) ?? false
  const matches = (one: unknown) => bound.matches(one, bound.operand)
  const own = { attribute, operator, value, isScalar, matches }
  if (question.kind === "presence")
    return { ...own, cost: 1, scalar: question.isPresent, list: question.isPresent }
  const constraint = constraintOf(negates ?? operator, value, scope)
  if (constraint === undefined) return undefined
  const common = { ...own, cost: constraint.cost }
  if (negates !== undefined)
    return { ...common, scalar: { constraint, holds: false }, list: { kind: "none", constraint } }
  const scalar = { constraint, holds: true }
  if (question.kind === "share") return { ...common, scalar, list: false }
  if (question.kind !== "version" || !question.isOther)
    return { ...common, scalar, list: { kind: "some", constraint } }
  const equal = constraintOf(operatorThatAsks({ kind: "version", isOther: false }), value, scope)
  const any = constraintOfAnyVersion(scope)
  return equal && { ...common, scalar, list: { kind: "otherVersion", equal, any } }
}
