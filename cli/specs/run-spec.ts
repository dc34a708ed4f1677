import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import type { Evaluator } from "../../sdk/evaluation/evaluator.ts"
import type { FlagSet } from "../evaluate/flag-set.ts"
import { sameValue } from "../language/canonical-json.ts"
import { withAttribute } from "./combine.ts"
import type { ExpectedAnswer, ExpectedShare, Spec, SpecCase } from "./spec.ts"

/** The flags of one environment, ready to evaluate. */
export interface SpecWorld extends FlagSet {
  readonly evaluator: Evaluator
  /** The number in its file of a flag's rule, by its id. */
  readonly ruleNumber: (flag: string, id: string) => number | undefined
}

/** Called for every evaluation, which coverage counts. */
export type OnEvaluation = (environment: string, evaluation: Evaluation) => void

/** The result of one case in one environment. */
export interface CaseResult {
  readonly spec: Spec
  readonly specCase: SpecCase
  readonly environment: string
  /** How many contexts were evaluated. */
  readonly contexts: number
  readonly failure: CaseFailure | undefined
}

export type CaseFailure =
  /** The number of contexts that got a different answer, and the first of them. */
  | { readonly kind: "answer"; readonly failed: number; readonly first: Mismatch }
  /** In percent of all ids. */
  | { readonly kind: "share"; readonly expected: ExpectedShare; readonly actual: number }

/** A context that got a different answer. */
export interface Mismatch {
  readonly context: Context
  readonly expected: ExpectedAnswer
}

/** Runs the cases of a spec, each in each of its environments. */
export function runSpec(
  spec: Spec,
  worlds: ReadonlyMap<string, SpecWorld>,
  onEvaluation: OnEvaluation = () => undefined,
): readonly CaseResult[] {
  return spec.cases.flatMap((specCase) =>
    specCase.environments.flatMap((environment): readonly CaseResult[] => {
      const world = worldOf(worlds, environment)
      const evaluate = (context: Context): Evaluation => {
        const evaluation = world.evaluator.evaluate(spec.flag, context)
        onEvaluation(environment, evaluation)
        return evaluation
      }
      const { expected } = specCase
      const result = { spec, specCase, environment }
      return expected.kind === "answer"
        ? [{ ...result, contexts: expected.contexts.length, failure: runAnswer(expected, world, evaluate) }]
        : [{ ...result, contexts: expected.of, failure: runShare(expected, evaluate) }]
    }),
  )
}

/** The flags of an environment of the project. */
export function worldOf(worlds: ReadonlyMap<string, SpecWorld>, environment: string): SpecWorld {
  const world = worlds.get(environment)
  if (world === undefined) throw new Error(`no flags were read for ${environment}`)
  return world
}

type Evaluate = (context: Context) => Evaluation

function runAnswer(expected: ExpectedAnswer, world: SpecWorld, evaluate: Evaluate): CaseFailure | undefined {
  let first: Mismatch | undefined
  let failed = 0
  for (const context of expected.contexts) {
    if (isAsExpected(evaluate(context), expected, world)) continue
    first ??= { context, expected }
    failed++
  }
  return first && { kind: "answer", failed, first }
}

function isAsExpected(evaluation: Evaluation, expected: ExpectedAnswer, world: SpecWorld): boolean {
  if (evaluation.kind !== "evaluated") return false
  const { value, cause, rule } = expected
  if (value !== undefined && !sameValue(value, evaluation.value)) return false
  if (cause !== undefined && cause !== evaluation.cause) return false
  if (rule === undefined) return true
  const { key, ruleId } = evaluation
  if (typeof rule === "string" || ruleId === undefined) return rule === ruleId
  return rule === world.ruleNumber(key, ruleId)
}

function runShare(expected: ExpectedShare, evaluate: Evaluate): CaseFailure | undefined {
  let count = 0
  for (let id = 1; id <= expected.of; id++) {
    const evaluation = evaluate(withAttribute(expected.context, expected.by, String(id)))
    if (evaluation.kind === "evaluated" && sameValue(expected.value, evaluation.value)) count++
  }
  const off = Math.abs(count * 100 - expected.is * expected.of)
  if (off <= expected.tolerance * expected.of + rounding) return undefined
  return { kind: "share", expected, actual: (count * 100) / expected.of }
}

/** The rounding error of decimals as doubles: far less than one id, which counts 100. */
const rounding = 1e-3
