import { type Answer, type Doubt, found, none, unknown } from "../answer.ts"
import type { Work } from "../work.ts"
import type { Spelled } from "./ask.ts"
import { type Look, looksOf } from "./looks.ts"

/**
 * Finds a scalar by the way it is spelled. Every comparison of texts, numbers, versions or moments is read by an
 * acceptor, character by character; their product has few states. A state that all accept is an answer, which the SDK
 * still judges; if all states are visited and none is, there is no answer. `doubt` says why it is not known where the
 * search is given up.
 */
export function findSpelled(spelled: Spelled, doubt: Doubt, work: Work): Answer<unknown> {
  // JSON cannot carry them, so they come where nothing else is found.
  const infinity = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].find(spelled.isMember)
  let isKnown = true
  for (let looks = looksOf(spelled); looks.length > 0; ) {
    const closer: Look[] = []
    for (const [at, look] of looks.entries()) {
      if (work.isSpent) return infinity === undefined ? unknown(doubt) : found(infinity)
      const outcome = look.run(work.share(1 / (looks.length - at)))
      if (outcome.kind === "found") return outcome
      if (outcome.kind === "doubtful") closer.push(...look.closer(outcome.guide))
      isKnown &&= outcome.kind !== "unknown"
    }
    looks = closer
  }
  if (infinity !== undefined) return found(infinity)
  return isKnown ? none : unknown(doubt)
}
