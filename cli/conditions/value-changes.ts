import type { Context } from "../../sdk/evaluation/evaluation.ts"
import type { Doubt } from "./answer.ts"
import { type ContextSet, complement, nameOf } from "./context-set.ts"
import type { Shapes } from "./value.ts"
import { findIn, narrow, type Region, wholeRegion } from "./witness.ts"
import { createWork, stepsForFlag } from "./work.ts"

/** The contexts of one of a flag's outcomes, and what they get: a string that is equal for equal values. */
export interface ValuedContexts {
  readonly contexts: ContextSet
  readonly value: string
}

/** Contexts that get a different value: one outcome decides for them before, another after. */
export interface ValueChange {
  /** Positions of the outcomes. */
  readonly before: number
  readonly after: number
  readonly witness: Context
}

/** As `ValueChange`, but it is not known whether there are such contexts. */
export interface PossibleChange {
  readonly before: number
  readonly after: number
  readonly because: Doubt
}

export interface ValueChanges {
  readonly changes: readonly ValueChange[]
  readonly possible: readonly PossibleChange[]
  /** Whether the search was given up, so that there may be others. */
  readonly isCutShort: boolean
}

/** Returns who gets a different value: one change for each pair of outcomes that some context moves between. */
export function valueChanges(
  before: readonly ValuedContexts[],
  after: readonly ValuedContexts[],
  shapes: Shapes = "any",
  steps = stepsForFlag,
): ValueChanges {
  const work = createWork(steps)
  // One hard question must leave something for the others.
  const own = () => ({ shapes, work: work.share(0.25) })
  const namesBefore = before.map(({ contexts }) => nameOf(contexts))
  const namesAfter = after.map(({ contexts }) => nameOf(contexts))
  const changes: ValueChange[] = []
  const possible: PossibleChange[] = []
  let left: Region = wholeRegion
  let isPrefix = true
  for (const [at, { contexts, value }] of before.entries()) {
    isPrefix &&= namesAfter[at] === namesBefore[at] && after[at]?.value === value
    if (!isPrefix) {
      const passed = new Set(namesBefore.slice(0, at))
      let region = narrow(left, contexts, own())
      for (const [to, outcome] of after.entries()) {
        // This rule is on both sides, and before the change it came earlier: its contexts are no longer in the region.
        if (passed.has(namesAfter[to] ?? "")) continue
        if (work.isSpent) return { changes, possible, isCutShort: true }
        if (outcome.value !== value) {
          const options = own()
          const answer = findIn(narrow(region, outcome.contexts, options), options)
          if (answer.kind === "found") changes.push({ before: at, after: to, witness: answer.value })
          else if (answer.kind === "unknown")
            possible.push({ before: at, after: to, because: answer.because })
        }
        region = narrow(region, complement(outcome.contexts), own())
        if (region.isEmpty) break
      }
    }
    left = narrow(left, complement(contexts), own())
    if (left.isEmpty) break
  }
  return { changes, possible, isCutShort: false }
}
