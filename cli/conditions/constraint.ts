import { numberOf } from "../../sdk/evaluation/decimal.ts"
import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { bindOperator, type OperatorScope } from "../../sdk/evaluation/operators.ts"
import { parsePercentage, parseShare, type ShareRange } from "../../sdk/evaluation/share-range.ts"
import { parseVersionOperand } from "../../sdk/evaluation/version.ts"
import { withCase } from "./ignoring-case.ts"
import { everyValue, type Intervals } from "./intervals.ts"
import { momentsOf } from "./moments.ts"
import { numbersOf } from "./numbers.ts"
import { type Version, versionsOf } from "./versions.ts"

/**
 * What a positive operator requires of one scalar: a string, a number, a boolean or a Date. `holds` is the SDK's own
 * comparison; the rest describes the same set of scalars, so that members of several such sets can be constructed.
 */
export type Constraint =
  | TextsConstraint
  | PatternConstraint
  | ExpressionConstraint
  | NumbersConstraint
  | MomentsConstraint
  | VersionsConstraint
  | ShareConstraint

interface Judged {
  readonly holds: (scalar: unknown) => boolean
  /** What one comparison costs, in quarters of a step. */
  readonly cost: number
}

export interface TextsConstraint extends Judged {
  readonly kind: "texts"
  readonly texts: readonly string[]
  readonly ignoresCase: boolean
}

export interface PatternConstraint extends Judged {
  readonly kind: "pattern"
  readonly where: "startsWith" | "endsWith" | "contains"
  readonly text: string
  readonly ignoresCase: boolean
}

export interface ExpressionConstraint extends Judged {
  readonly kind: "expression"
  readonly source: string
}

export interface NumbersConstraint extends Judged {
  readonly kind: "numbers"
  readonly intervals: Intervals<number>
}

export interface MomentsConstraint extends Judged {
  readonly kind: "moments"
  readonly intervals: Intervals<number>
}

export interface VersionsConstraint extends Judged {
  readonly kind: "versions"
  readonly intervals: Intervals<Version>
}

/** The scalars whose share is in a range. */
export interface ShareConstraint extends Judged, ShareRange {
  readonly kind: "share"
}

/** The constraint of a positive operator; `undefined` if it cannot read its operand, or compares nothing. */
export function constraintOf(operator: string, value: string, scope: OperatorScope): Constraint | undefined {
  const bound = bindOperator(operator, value, scope)
  if (bound === undefined) return undefined
  const holds = (scalar: unknown) => bound.matches(scalar, bound.operand)
  const judged = { holds, cost: costOf(operator, value) }
  const plain = withCase(operator)
  const text = plain === operator ? value : foldCase(value)
  const ignoresCase = plain !== operator && /[a-z]/.test(text)
  switch (plain) {
    case "equals":
      return { kind: "texts", texts: [text], ignoresCase, ...judged }
    case "in":
      return { kind: "texts", texts: JSON.parse(text), ignoresCase, ...judged }
    case "startsWith":
    case "endsWith":
    case "contains":
      return { kind: "pattern", where: plain, text, ignoresCase, ...judged }
    case "matches":
      return { kind: "expression", source: value, ...judged }
    case "percentage":
    case "share": {
      const range = operator === "share" ? parseShare(value) : parsePercentage(value, scope.seed)
      return range && { kind: "share", ...range, ...judged }
    }
    case "before":
    case "beforeOrEquals":
    case "after":
    case "afterOrEquals":
      return { kind: "moments", intervals: momentsOf(operator, parseMoment(value) ?? Number.NaN), ...judged }
    case "greaterThan":
    case "greaterThanOrEquals":
    case "lessThan":
    case "lessThanOrEquals":
      return { kind: "numbers", intervals: numbersOf(operator, numberOf(value) ?? Number.NaN), ...judged }
    default: {
      const version = operator.startsWith("semver") ? parseVersionOperand(value) : undefined
      return version && { kind: "versions", intervals: versionsOf(operator, version), ...judged }
    }
  }
}

/** Whether a constraint ignores the case of A to Z. */
export function isCaseBlind(constraint: Constraint): boolean {
  if (constraint.kind !== "texts" && constraint.kind !== "pattern") return false
  const texts = constraint.kind === "texts" ? constraint.texts : [constraint.text]
  return constraint.ignoresCase || !texts.some((text) => /[A-Za-z]/.test(text))
}

/** Requires any version. */
export function constraintOfAnyVersion(scope: OperatorScope): Constraint {
  const comparisons = ["semverEquals", "semverNotEquals"].map((operator) =>
    bindOperator(operator, "0", scope),
  )
  return {
    kind: "versions",
    intervals: everyValue,
    holds: (scalar) => comparisons.some((bound) => bound?.matches(scalar, bound.operand)),
    cost: 2 * costOf("semverEquals", "0"),
  }
}

function costOf(operator: string, { length }: string): number {
  switch (withCase(operator)) {
    case "matches":
      return 1_024
    case "percentage":
    case "share":
    case "before":
    case "beforeOrEquals":
    case "after":
    case "afterOrEquals":
      return 5
    case "in":
      return length > 1_000 ? 5 : 1
    case "contains":
      return 1 + (length >> 4)
    default:
      return operator.startsWith("semver") ? 5 : 1
  }
}

/** The steps that comparing a value costs in total. Long strings cost more. */
export function stepsOf(cost: number, value: unknown): number {
  return (typeof value === "string" ? cost * (1 + (value.length >> 6)) : cost) >> 2
}
