/**
 * How often a property test asks: so often that it takes some seconds, or as often as FLAGSTONE_TEST_RUNS says, which finds
 * what shows once in ten thousand times.
 */
export function runs(usual: number): number {
  return Number(process.env.FLAGSTONE_TEST_RUNS ?? usual)
}
