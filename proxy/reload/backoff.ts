/** Since when something is worth trying again. */
export interface Backoff {
  isWaiting(): boolean
  /** It failed once more. */
  failed(): void
  /** It did not, or is another thing now. */
  reset(): void
}

/** `monotonicNow` gives milliseconds that never go back, `random` a number from 0 up to, not including, 1. */
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
 * and of that a share between a half and the whole, so that proxies that failed together do not come back together.
 * `random` is chance itself, a number from 0 up to, not including, 1.
 */
export function backoff(failures: number, random: number): number {
  const whole = Math.min(longest, first * 2 ** Math.max(0, failures - 1))
  return whole * (0.5 + random / 2)
}

const first = 1_000
const longest = 300_000
