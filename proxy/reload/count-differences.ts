/** How many things were added, removed and changed, and the keys of the first of them. */
export interface ChangeCount {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly names: readonly string[]
}

/** Of the names in a log line. */
export const mostNames = 20

/** Compares two collections by key. The names of what is new or changed come first. */
export function countDifferences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T, other: T) => boolean,
): ChangeCount {
  let [added, changed] = [0, 0]
  const names: string[] = []
  const name = (key: string) => names.length < mostNames && names.push(key)
  for (const [key, value] of after) {
    const old = before.get(key)
    if (old !== undefined && isSame(old, value)) continue
    if (old === undefined) added++
    else changed++
    name(key)
  }
  const removed = before.size + added - after.size
  if (removed > 0) for (const key of before.keys()) if (!after.has(key)) name(key)
  return { added, removed, changed, names }
}
