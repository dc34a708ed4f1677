/** A list of JSON values without duplicates. */
export interface Interned<Value> {
  readonly all: readonly Value[]
  /** The value's position. */
  readonly of: (value: Value) => number
}

export function createInterned<Value>(): Interned<Value> {
  const all: Value[] = []
  const positions = new Map<string, number>()
  return {
    all,
    of(value) {
      const text = JSON.stringify(value)
      const position = positions.get(text) ?? all.push(value) - 1
      positions.set(text, position)
      return position
    },
  }
}
