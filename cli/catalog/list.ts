/** A list in which equal values stand once. Values are JSON. */
export interface List<T> {
  readonly all: readonly T[]
  /** The value's position. */
  readonly of: (value: T) => number
}

/** Goes on from a list that is known. `nameOf` names values that are not plain: equal ones alike, and others not. */
export function createList<T>(
  known: readonly T[] = [],
  nameOf: (value: T) => string = JSON.stringify,
): List<T> {
  const all: T[] = []
  const positions = new Map<unknown, number>()
  const texts = new Map<string, number>()
  const of = (value: T): number => {
    const isPlain = typeof value !== "object" || value === null
    const name = isPlain ? value : nameOf(value)
    const own: Map<unknown, number> = isPlain ? positions : texts
    const position = own.get(name)
    if (position !== undefined) return position
    own.set(name, all.length)
    return all.push(value) - 1
  }
  for (const value of known) of(value)
  return { all, of }
}
