import { hash } from "node:crypto"
import type { FlagSetMetadata } from "../../sdk/contract/flag-set.ts"
import { evaluateFlag } from "../../sdk/evaluation/compile-flag.ts"
import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import { resolutionOf } from "../../sdk/evaluation/resolution.ts"
import type { AttributeLimits } from "./attribute-limits.ts"
import { evaluateInSteps } from "./evaluate-in-steps.ts"
import { createFlagResult, type FlagResult } from "./flag-result.ts"
import type { PreparedFlag } from "./prepared-flag.ts"
import { runToEnd } from "./run-to-end.ts"
import { createSelections } from "./selections.ts"
import { noWork, shortWork, unitsOf, type Work } from "./work.ts"

/** What the flags of one snapshot evaluate to, ready to be sent. */
export interface Evaluations {
  /**
   * `undefined`: there is no such flag. Pauses where it yields: at the latest after one comparison, or after as much work
   * as needs no turn. `contextBytes` is what the context's attributes have together.
   */
  one(key: string, context: Context, contextBytes: number): Generator<void, FlagResult | undefined>
  /** The body of the bulk answer: all flags, in the order of the document. Pauses as `one` does. */
  all(context: Context, contextBytes: number): Generator<void, string>
  /** The JSON of what telemetry records of the document. */
  readonly metadata: string
  /** How much work evaluating a flag is, or with `undefined` all flags. */
  workOf(key: string | undefined): Work
  /** Differs if some context may get a different answer: 32 hex digits. */
  readonly tag: string
  /** Only the flags whose keys match one of these globs; `undefined`: all. Costs nothing until their answers are needed. */
  only(globs: readonly string[] | undefined): Evaluations
  /** The limits for contexts. */
  readonly limits: AttributeLimits
}

/** `flags` by key, in the order of the document. */
export function createEvaluations(
  flags: ReadonlyMap<string, PreparedFlag>,
  limits: AttributeLimits,
  flagSet: FlagSetMetadata,
): Evaluations {
  const metadata = JSON.stringify(flagSet)
  const resultOf = createResults()
  const select = createSelections(flags)
  /** By globs; those used least recently come first. */
  const views = new Map<string, Evaluations>()

  function* resultsOf(list: readonly PreparedFlag[], context: Context, contextBytes: number) {
    const found: FlagResult[] = []
    let unitsSincePause = 0
    for (const flag of list) {
      const units = unitsOf(flag.work, contextBytes)
      unitsSincePause += units
      if (unitsSincePause > shortWork) {
        yield
        unitsSincePause = units
      }
      const evaluation =
        units <= shortWork
          ? evaluateFlag(flag.compiled, context)
          : yield* evaluateInSteps(flag.compiled, context, comparisonsInStep(flag, contextBytes))
      found.push(resultOf(flag, evaluation))
    }
    return found
  }

  function only(globs: readonly string[] | undefined): Evaluations {
    if (globs === undefined) return whole
    const name = globs.join()
    const made = views.get(name) ?? view(globs)
    views.delete(name)
    views.set(name, made) // the last to be forgotten
    if (views.size > mostViews) views.delete(views.keys().next().value ?? "")
    return made
  }

  function view(globs: readonly string[] | undefined): Evaluations {
    const selection = select(globs)
    let tag: string | undefined
    return {
      *one(key, context, contextBytes) {
        const flag = selection.flag(key)
        const [result] = flag ? yield* resultsOf([flag], context, contextBytes) : []
        return result
      },
      *all(context, contextBytes) {
        const results = yield* resultsOf(yield* selection.all(), context, contextBytes)
        return `{"flags":[${results.map(({ text }) => text).join(",")}]}`
      },
      metadata,
      workOf: (key) => (key === undefined ? selection.work() : (selection.flag(key)?.work ?? noWork)),
      get tag() {
        tag ??= tagOfFlags(runToEnd(selection.all()))
        return tag
      },
      only,
      limits,
    }
  }

  const whole = view(undefined)
  return whole
}

/** The result of a flag's evaluation, made once: a compiled flag always returns the same few evaluation objects. */
function createResults(): (flag: PreparedFlag, evaluation: Evaluation) => FlagResult {
  const results = new Map<Evaluation, FlagResult>()
  return ({ isStatic, isFloat }, evaluation) => {
    const made = results.get(evaluation) ?? createFlagResult(resolutionOf(evaluation, isStatic), isFloat)
    results.set(evaluation, made)
    return made
  }
}

function tagOfFlags(flags: readonly PreparedFlag[]): string {
  return hash("sha256", flags.map(({ digest }) => digest).join(), "hex").slice(0, 32)
}

/** How many comparisons of a flag are short work. */
function comparisonsInStep({ longest }: PreparedFlag, contextBytes: number): number {
  return Math.max(1, Math.floor(shortWork / (unitsOf(longest, contextBytes) || 1)))
}

/** How many lists of globs are cached, each up to 80 KB for 10,000 flags. Key files have few different ones. */
const mostViews = 256
