/**
 * How often a property test asks: so often that it takes about a second, times TEST_LONGER, which finds what shows
 * once in ten thousand times; `npm run check` and `npm test` ask a fifth as often. A file that asks so has the tag `property`.
 */
export function runs(usual: number): number {
  return Math.ceil(usual * Number(process.env.TEST_LONGER ?? 1))
}
