import type { FlagEntry } from "../contract/snapshot.ts"

/**
 * A number flag's type in languages that have two: `float` if any of its values is not a whole number, so that a flag
 * with 1 and 1.5 is always read with the same accessor. `undefined` for flags of other types.
 */
export function numberKind({ flag, environment }: FlagEntry): "integer" | "float" | undefined {
  if (flag.type !== "number") return undefined
  const values = [flag.defaultValue, ...(environment?.rules ?? []).map(({ returnValue }) => returnValue)]
  return values.every(Number.isInteger) ? "integer" : "float"
}
