/** When something that failed is worth trying again. */
export interface Backoff {
  isWaiting(): boolean
  failed(): void
  reset(): void
}

/** `monotonicNow` gives milliseconds that never go back, `random` a number in [0, 1). */
export function createBackoff(monotonicNow: () => number, random: () => number): Backoff {
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  return {
    isWaiting: () => failures > 0 && monotonicNow() < notBefore,
    failed() {
      failures++
      notBefore = monotonicNow() + backoff(failures, random())
    },
    reset() {
      failures = 0
    },
  }
}

/**
 * Milliseconds to wait after so many failures in a row: from 1 s doubled up to 5 min, and of that a share in [½, 1), so
 * that proxies that failed together do not come back together.
 */
export function backoff(failures: number, random: number): number {
  return Math.min(300_000, 1_000 * 2 ** (failures - 1)) * (0.5 + random / 2)
}
