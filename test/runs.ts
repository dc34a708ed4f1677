/**
 * How often a property test asks: so often that it takes about a second, times FLAGSTONE_TEST_LONGER, which finds what shows
 * once in ten thousand times. A file that asks so has the tag `property`.
 */
export function runs(usual: number): number {
  return usual * Number(process.env.FLAGSTONE_TEST_LONGER ?? 1)
}
