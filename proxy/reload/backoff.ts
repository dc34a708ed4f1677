/**
 * Milliseconds to wait after this many failures in a row: 1 s, doubled each time up to 15 s, times a random factor in
 * [½, 1), so that proxies that failed together do not retry together. Longer waits would spare a store nothing that it
 * notices, and delay a revocation after an outage. `random` is in [0, 1).
 */
export function backoff(failures: number, random: number): number {
  return Math.min(15_000, 1_000 * 2 ** (failures - 1)) * (0.5 + random / 2)
}
