/**
 * Milliseconds to wait after so many failures in a row: from 1 s doubled up to 5 min, and of that a share in [½, 1), so
 * that proxies that failed together do not come back together. `random` is in [0, 1).
 */
export function backoff(failures: number, random: number): number {
  return Math.min(300_000, 1_000 * 2 ** (failures - 1)) * (0.5 + random / 2)
}
