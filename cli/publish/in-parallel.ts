/** The maximum number of simultaneous requests to a target. */
const width = 8

/**
 * Calls `work` for every item, at most eight at a time, and resolves to the results in the items' order. After the
 * first rejection it starts no more calls, and rejects with that reason once those under way have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  let next = 0
  async function lane(): Promise<void> {
    while (failures.length === 0) {
      const at = next++
      if (at >= items.length) return
      try {
        results[at] = await work(items[at] as T)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  if (failures.length > 0) throw failures[0]
  return results
}
