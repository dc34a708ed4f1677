import { type ContextSet, intersection } from "../../conditions/context-set.ts"
import type { Shapes } from "../../conditions/value.ts"
import { findContext } from "../../conditions/witness.ts"
import { createWork } from "../../conditions/work.ts"

/** Whether some context is, or may be, in all of the sets. `plain` ones have neither lists nor objects. */
export type MayMeet = (shapes: Shapes, ...sets: readonly ContextSet[]) => boolean

/** Steps for all sentences about a flag in an environment. */
const steps = 1_000_000

/** Taking an intersection apart also costs time. */
const stepsForPart = 4

/** One bound for all questions. Beyond it, every answer is that there may be such contexts. */
export function createMayMeet(): MayMeet {
  const work = createWork(steps)
  return (shapes, ...sets) => {
    for (const set of sets) if (set.kind === "all") work.spend(set.parts.length * stepsForPart)
    if (work.isSpent) return true
    const options = { shapes, work: work.share(0.1) } // one hard question must leave something for the others
    return findContext(intersection(...sets), options).kind !== "none"
  }
}
