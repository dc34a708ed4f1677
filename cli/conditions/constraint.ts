import { numberOf } from "../../sdk/evaluation/decimal.ts"
import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { bindOperator, type OperatorScope, shareIn } from "../../sdk/evaluation/operators.ts"
import type { ShareRange } from "../../sdk/evaluation/share-range.ts"
import { parseVersionOperand } from "../../sdk/evaluation/version.ts"
import { operatorOf, operatorThatAsks } from "../language/operators.ts"
import type { Bound, Question, Where } from "../language/question.ts"
import { after, before, beyond, everyValue, type Intervals } from "./intervals.ts"
import { endsOfVersion, type Version } from "./versions.ts"

/**
 * What a positive operator requires of one scalar: a string, a number, a boolean or a Date. `holds` is the SDK's own
 * comparison; the rest describes the same set of scalars, so that members of several such sets can be constructed.
 */
export type Constraint =
  | TextsConstraint
  | PatternConstraint
  | (Judged & { readonly kind: "expression"; readonly source: string })
  | (Judged & { readonly kind: "numbers"; readonly intervals: Intervals<number> })
  | (Judged & { readonly kind: "moments"; readonly intervals: Intervals<number> })
  | (Judged & { readonly kind: "versions"; readonly intervals: Intervals<Version> })
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
  readonly where: Where
  readonly text: string
  readonly ignoresCase: boolean
}

/** The scalars whose share is in a range. */
export interface ShareConstraint extends Judged, ShareRange {
  readonly kind: "share"
}

/** The constraint of a positive operator; `undefined` if it cannot read its operand, or compares nothing. */
export function constraintOf(operator: string, value: string, scope: OperatorScope): Constraint | undefined {
  const [bound, known] = [bindOperator(operator, value, scope), operatorOf(operator)]
  if (bound === undefined || known === undefined) return undefined
  const { question } = known
  const holds = (scalar: unknown) => bound.matches(scalar, bound.operand)
  const judged = { holds, cost: costOf(question, value) }
  const text = known.ignoresCase ? foldCase(value) : value
  const ignoresCase = known.ignoresCase && /[a-z]/.test(text)
  switch (question.kind) {
    case "texts":
      return { kind: "texts", texts: question.isList ? JSON.parse(text) : [text], ignoresCase, ...judged }
    case "part":
      return { kind: "pattern", where: question.where, text, ignoresCase, ...judged }
    case "expression":
      return { kind: "expression", source: value, ...judged }
    case "share": {
      const range = shareIn(operator, value, scope.seed)
      return range && { kind: "share", ...range, ...judged }
    }
    case "bound":
      return boundConstraint(question, value, judged)
    case "version": {
      const version = parseVersionOperand(value)
      if (version === undefined) return undefined
      const [from, to] = endsOfVersion(version)
      const others = [
        { from: undefined, to: from },
        { from: to, to: undefined },
      ]
      return { kind: "versions", intervals: question.isOther ? others : [{ from, to }], ...judged }
    }
    case "presence":
    case "always":
      return undefined
  }
}

function boundConstraint(bound: Bound, value: string, judged: Judged): Constraint | undefined {
  switch (bound.order) {
    case "number": {
      const number = numberOf(value) ?? Number.NaN
      return { kind: "numbers", intervals: [beyond(bound, [before(number), after(number)])], ...judged }
    }
    case "moment": {
      const moment = parseMoment(value) ?? Number.NaN
      return { kind: "moments", intervals: [beyond(bound, [before(moment), after(moment)])], ...judged }
    }
    case "version": {
      const version = parseVersionOperand(value)
      return version && { kind: "versions", intervals: [beyond(bound, endsOfVersion(version))], ...judged }
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
  const comparisons = [false, true].map((isOther) =>
    bindOperator(operatorThatAsks({ kind: "version", isOther }), "0", scope),
  )
  return {
    kind: "versions",
    intervals: everyValue,
    holds: (scalar) => comparisons.some((bound) => bound?.matches(scalar, bound.operand)),
    cost: 2 * costOfVersion,
  }
}

const costOfVersion = 5

function costOf(question: Question, { length }: string): number {
  switch (question.kind) {
    case "expression":
      return 1_024
    case "share":
      return 5
    case "version":
      return costOfVersion
    case "bound":
      return question.order === "number" ? 1 : costOfVersion
    case "texts":
      return length > 1_000 ? 5 : 1
    case "part":
      return question.where === "inside" ? 1 + (length >> 4) : 1
    case "presence":
    case "always":
      return 1
  }
}

/** The steps that comparing a value costs in total. Long strings cost more. */
export function stepsOf(cost: number, value: unknown): number {
  return (typeof value === "string" ? cost * (1 + (value.length >> 6)) : cost) >> 2
}
