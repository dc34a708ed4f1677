/** How many things were added, removed and changed. */
export interface ChangeCount {
  readonly added: number
  readonly removed: number
  readonly changed: number
}

/** Compares two collections by key. */
export function countDifferences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T, other: T) => boolean,
): ChangeCount {
  let [added, changed] = [0, 0]
  for (const [key, value] of after) {
    const old = before.get(key)
    if (old === undefined) added++
    else if (!isSame(old, value)) changed++
  }
  return { added, removed: before.size + added - after.size, changed }
}
