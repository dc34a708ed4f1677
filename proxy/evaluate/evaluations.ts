import { type CompiledRules, evaluateFlag } from "../../sdk/evaluation/compile-flag.ts"
import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import { resolutionOf } from "../../sdk/evaluation/resolution.ts"
import type { AttributeLimits } from "./attribute-limits.ts"
import { createFlagResult, type FlagResult } from "./flag-result.ts"

/** What the flags of one snapshot evaluate to, ready to be sent. */
export interface Evaluations {
  /** `undefined`: there is no such flag. */
  one(key: string, context: Context): FlagResult | undefined
  /** The body of the bulk answer: all flags, in the order of the document. Pauses where it yields. */
  all(context: Context): Generator<void, string>
  /** What a context may have. */
  readonly limits: AttributeLimits
}

/** A compiled flag, and what else its answers need. */
export interface PreparedFlag {
  readonly compiled: CompiledRules
  readonly isStatic: boolean
  readonly isFloat: boolean
}

/** `flags` by key, in the order of the document. */
export function createEvaluations(
  flags: ReadonlyMap<string, PreparedFlag>,
  limits: AttributeLimits,
): Evaluations {
  // A compiled flag holds the few evaluations that it can give, so each of them finds its result by identity.
  const results = new Map<Evaluation, FlagResult>()
  const list = [...flags.values()]

  function resultOf({ compiled, isStatic, isFloat }: PreparedFlag, context: Context): FlagResult {
    const evaluation = evaluateFlag(compiled, context)
    const known = results.get(evaluation)
    if (known !== undefined) return known
    const result = createFlagResult(resolutionOf(evaluation, isStatic), isFloat)
    results.set(evaluation, result)
    return result
  }

  return {
    one(key, context) {
      const flag = flags.get(key)
      return flag && resultOf(flag, context)
    },
    *all(context) {
      const texts: string[] = []
      for (const flag of list) {
        texts.push(resultOf(flag, context).text)
        if (texts.length % flagsInStep === 0) yield
      }
      return `{"flags":[${texts.join(",")}]}`
    },
    limits,
  }
}

/** The most expensive context that is allowed takes 20 µs for most of them, and 30 ms for the largest expression. */
const flagsInStep = 4
