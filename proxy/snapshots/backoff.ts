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
