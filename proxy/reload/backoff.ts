/** When something that failed is worth trying again. */
export interface Backoff {
  isWaiting(): boolean
  /** It failed once more. */
  failed(): void
  /** It succeeded, or is another thing now. */
  reset(): void
}

/** `monotonicNow` gives milliseconds that never go back, `random` a number in [0, 1). */
export function createBackoff(monotonicNow: () => number, random: () => number): Backoff {
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  return {
    isWaiting: () => monotonicNow() < notBefore,
    failed() {
      failures++
      notBefore = monotonicNow() + backoff(failures, random())
    },
    reset() {
      failures = 0
      notBefore = Number.NEGATIVE_INFINITY
    },
  }
}

/**
 * Milliseconds to wait after so many failures in a row (1 is the first): doubled each time from `first` up to `longest`,
 * and of that a share in [½, 1), so that proxies that failed together do not come back together.
 */
export function backoff(failures: number, random: number): number {
  const whole = Math.min(longest, first * 2 ** Math.max(0, failures - 1))
  return whole * (0.5 + random / 2)
}

const first = 1_000
const longest = 300_000
