/** A longest rising subsequence of distinct numbers. */
export function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [] // by length, the smallest number that ends a rising run of that length
  const previous = new Map<number, number | undefined>()
  for (const number of numbers) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous.set(number, ends[low - 1])
    ends[low] = number
  }
  const run = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) run.add(number)
  return run
}
