import { numberOf } from "../../sdk/evaluation/decimal.ts"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { bindOperator, type OperatorScope } from "../../sdk/evaluation/operators.ts"
import { parsePercentage, type Share } from "../../sdk/evaluation/share.ts"
import { parseVersionOperand } from "../../sdk/evaluation/version.ts"
import { everyValue, type Intervals } from "./intervals.ts"
import { momentsOf } from "./moments.ts"
import { numbersOf } from "./numbers.ts"
import { type Version, versionsOf } from "./versions.ts"

/**
 * What a positive operator asks of one scalar: a text, a number, a boolean or a Date. `holds` is the SDK's own
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
}

export interface PatternConstraint extends Judged {
  readonly kind: "pattern"
  readonly where: "startsWith" | "endsWith" | "contains"
  readonly text: string
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

/** The scalars whose share, times 100, is below the limit. */
export interface ShareConstraint extends Judged {
  readonly kind: "share"
  readonly limit: number
  readonly share: Share
}

/** The constraint of a positive operator; `undefined` where it cannot read its operand, or compares nothing. */
export function constraintOf(operator: string, value: string, scope: OperatorScope): Constraint | undefined {
  const bound = bindOperator(operator, value, scope)
  if (bound === undefined) return undefined
  const holds = (scalar: unknown) => bound.matches(scalar, bound.operand)
  const judged = { holds, cost: costOf(operator, value) }
  switch (operator) {
    case "equals":
      return { kind: "texts", texts: [value], ...judged }
    case "in":
      return { kind: "texts", texts: JSON.parse(value), ...judged }
    case "startsWith":
    case "endsWith":
    case "contains":
      return { kind: "pattern", where: operator, text: value, ...judged }
    case "matches":
      return { kind: "expression", source: value, ...judged }
    case "percentage":
      return { kind: "share", limit: parsePercentage(value) ?? 0, share: scope.share, ...judged }
    case "before":
    case "after":
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

/** Asks for any version. */
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
  switch (operator) {
    case "matches":
      return 1_024
    case "percentage":
    case "before":
    case "after":
      return 5
    case "in":
      return length > 1_000 ? 5 : 1
    case "contains":
      return 1 + (length >> 4)
    default:
      return operator.startsWith("semver") ? 5 : 1
  }
}

/** The steps that comparisons of a value cost together. Those of long texts take longer. */
export function stepsOf(cost: number, value: unknown): number {
  return (typeof value === "string" ? cost * (1 + (value.length >> 6)) : cost) >> 2
}
