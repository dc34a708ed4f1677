import type { FlagEntry, SnapshotDocument } from "../contract/snapshot.ts"

/**
 * The sorted keys of flags that were added, removed or may give a user a different value. Ids, times, names and
 * descriptions do not count; nor do rules of a disabled flag.
 */
export function changedFlags(before: SnapshotDocument, after: SnapshotDocument): readonly string[] {
  const [old, current] = [before, after].map(meanings)
  const keys = new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])
  return [...keys].filter((key) => old?.get(key) !== current?.get(key)).sort()
}

function meanings({ flags }: SnapshotDocument): ReadonlyMap<string, string> {
  return new Map(flags.map((entry) => [entry.flag.key, meaning(entry)]))
}

/** A string that is equal for flags that give everyone the same values. */
function meaning({ flag, environment }: FlagEntry): string {
  const rules = environment?.enabled === true ? environment.rules : []
  return JSON.stringify([
    flag.type,
    flag.defaultValue,
    rules.map(({ attribute, operator, value, returnValue }) => [attribute, operator, value, returnValue]),
  ])
}
