import { type Answer, type Doubt, found, none, unknown } from "../answer.ts"
import type { Work } from "../work.ts"
import type { Spelled } from "./ask.ts"
import { dateLooksOf, type Look, looksOf } from "./looks.ts"

/**
 * Finds a scalar by the way it is spelled. Every comparison of texts, numbers, versions or moments is read by an
 * acceptor, character by character; their product has few states. A state that all accept is an answer, which the SDK
 * still judges; if all states are visited and none is, there is no answer. `doubt` says why it is not known where the
 * search is given up.
 */
export function findSpelled(spelled: Spelled, doubt: Doubt, work: Work): Answer<unknown> {
  const dates = dateLooksOf(spelled)
  const sayable = findBy(looksOf(spelled), doubt, work.share(dates.length > 0 ? 3 / 4 : 1))
  if (sayable.kind === "found") return sayable
  // JSON cannot carry these Dates and infinite numbers, so they come where nothing else is found.
  const date = findBy(dates, doubt, work)
  if (date.kind === "found") return date
  const infinity = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].find(spelled.isMember)
  if (infinity !== undefined) return found(infinity)
  return sayable.kind === "none" ? date : sayable
}

/** Looks, and looks closer wherever a look is in doubt. */
function findBy(first: readonly Look[], doubt: Doubt, work: Work): Answer<unknown> {
  let isKnown = true
  for (let looks = first; looks.length > 0; ) {
    const closer: Look[] = []
    for (const [at, look] of looks.entries()) {
      if (work.isSpent) return unknown(doubt)
      const outcome = look.run(work.share(1 / (looks.length - at)))
      if (outcome.kind === "found") return outcome
      if (outcome.kind === "doubtful") closer.push(...look.closer(outcome.guide))
      isKnown &&= outcome.kind !== "unknown"
    }
    looks = closer
  }
  return isKnown ? none : unknown(doubt)
}
