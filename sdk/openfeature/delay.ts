import type { Failed } from "./ask-for-document.ts"

/** What decides when to request the flags again. */
export interface Situation {
  /** Milliseconds. */
  readonly pollInterval: number
  /** The failure of the last request; `undefined`: it succeeded. */
  readonly failure: Failed | undefined
  /** How many requests failed in a row. */
  readonly failures: number
  /** Whether there are flags already. Without them every second counts. */
  readonly hasFlags: boolean
}

/**
 * Milliseconds until the next request; `random` is in [0, 1). Varies by a fifth, so that processes that were started or
 * refused together do not ask together; never less than the server asked for, up to an hour, and hardly more after a
 * first failure.
 */
export function delayOf({ pollInterval, failure, failures, hasFlags }: Situation, random: number): number {
  const spread = (delay: number) => Math.round(delay * (0.8 + 0.4 * random))
  if (failure === undefined) return spread(pollInterval)
  const { isRefused, retryAfter } = failure
  const slowest = Math.max(pollInterval, slow)
  const unasked = hasFlags ? pollInterval : Math.min(pollInterval, soon)
  const first = retryAfter === undefined ? unasked : Math.max(retryAfter, soon)
  const last = hasFlags ? slowest : pollInterval
  const backoff = isRefused ? slowest : Math.min(first * 2 ** (failures - 1), last)
  const asked = Math.round(Math.min(retryAfter ?? 0, longestAsked) * (1 + 0.2 * random))
  return Math.max(spread(backoff), asked)
}

const soon = 1_000
const slow = 300_000
const longestAsked = 3_600_000
