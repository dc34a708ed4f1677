import type { CompiledCondition } from "../../sdk/evaluation/compile-condition.ts"
import type { CompiledRules } from "../../sdk/evaluation/compile-flag.ts"
import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import { matchCondition, type Truth } from "../../sdk/evaluation/match-condition.ts"

/**
 * What `evaluateFlag` returns, for flags whose rules may take long. Pauses where it yields: after this many
 * comparisons, at least 1. A pause takes as long as ten short comparisons.
 */
export function* evaluateInSteps(
  { rules, otherwise }: CompiledRules,
  context: Context,
  comparisonsInStep: number,
): Generator<void, Evaluation> {
  const step: Step = { context, most: comparisonsInStep, comparisons: 0 }
  for (const { condition, matched, unknown } of rules) {
    const truth =
      "parts" in condition ? yield* matchGroup(condition, step) : matchCondition(condition, context)
    if (truth === true) return matched
    if (truth === "unknown" && unknown !== undefined) return unknown
    if (isOver(step)) yield
  }
  return otherwise
}

function* matchGroup({ kind, parts }: Group, step: Step): Generator<void, Truth> {
  let otherwise: Truth = kind !== "any"
  for (const part of parts) {
    const truth = "parts" in part ? yield* matchGroup(part, step) : matchCondition(part, step.context)
    if (truth === (kind !== "all")) return kind === "any" // this part decides
    if (truth === "unknown") otherwise = truth
    if (isOver(step)) yield
  }
  return otherwise
}

type Group = Extract<CompiledCondition, { readonly parts: unknown }>

interface Step {
  readonly context: Context
  /** How many comparisons it may have. */
  readonly most: number
  comparisons: number
}

/** Counts a comparison, or a group, whose end takes no longer. */
function isOver(step: Step): boolean {
  step.comparisons = (step.comparisons + 1) % step.most
  return step.comparisons === 0
}
