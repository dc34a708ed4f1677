/**
 * How many cases a property test runs: enough for about a second, times TEST_LONGER, which finds mistakes that show
 * once in ten thousand cases; `npm run check` and `npm test` run a fifth as many. A file that uses this has the tag `property`.
 */
export function runs(usual: number): number {
  return Math.ceil(usual * longer)
}

const longer = Number(process.env.TEST_LONGER ?? 1)

/** Whether this is the slow half, in which a test may take minutes. */
export const isSlowHalf = longer > 1
