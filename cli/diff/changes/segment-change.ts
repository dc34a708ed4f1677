import type { Condition } from "../../language/condition.ts"
import { namesOf, referencesIn, written } from "../../language/references.ts"
import { noReferences, resolvedIn } from "../../reading/references.ts"
import { type ListChange, listChanges } from "../differences/list-changes.ts"
import { changedSegments } from "../sides/changed-segments.ts"
import type { Side } from "../sides/side.ts"
import type { Change } from "./change.ts"

/** A segment whose condition changed, and the flags whose values change because of it. */
export interface SegmentChange {
  readonly segment: string
  /** `null`: there was none. */
  readonly before: Condition | null
  /** `null`: it was removed. */
  readonly after: Condition | null
  /** The changed segments in it, if its own file means the same as before. */
  readonly by?: readonly string[]
  /** The changed lists in it, under the same condition. */
  readonly lists?: readonly ListChange[]
  /** The keys of the flags, by environment; without environments in which no one gets a different value. */
  readonly flags: Readonly<Record<string, readonly string[]>>
}

/** The segments that differ, by name. A flag counts for each segment that its configuration uses on one of the sides. */
export function segmentChanges(
  before: Side,
  after: Side,
  changes: readonly Change[],
): readonly SegmentChange[] {
  if (before.segments === undefined || after.segments === undefined) return []
  const names = [...changedSegments(before.segments, after.segments)].sort()
  if (names.length === 0) return []
  const [usedBefore, usedAfter] = [usesIn(before), usesIn(after)]
  const reached = changes.flatMap((change) => {
    if (!("flag" in change)) return []
    const { flag, effects } = change
    return effects.map(({ environment }) => ({
      flag,
      environment,
      uses: [...usedBefore(flag, environment), ...usedAfter(flag, environment)],
    }))
  })
  const flagsOf = (segment: string) => {
    const byEnvironment = Map.groupBy(
      reached.filter(({ uses }) => uses.includes(segment)),
      ({ environment }) => environment,
    )
    return [...byEnvironment].map(([name, users]) => [name, [...new Set(users.map(({ flag }) => flag))]])
  }
  return names.map((segment) => {
    const [own, newOwn] = [before, after].map(({ segments }) => segments?.conditions.get(segment))
    const isSame = own && newOwn && JSON.stringify(written(own)) === JSON.stringify(written(newOwn))
    const uses = isSame ? namesOf(referencesIn(newOwn)).segments : []
    const by = names.filter((name) => uses.includes(name))
    const lists = isSame ? listChanges(resolvedOn(before, own), resolvedOn(after, newOwn)) : []
    return {
      segment,
      before: before.segments?.get(segment) ?? null,
      after: after.segments?.get(segment) ?? null,
      ...(by.length === 0 ? {} : { by }),
      ...(lists.length === 0 ? {} : { lists }),
      flags: Object.fromEntries(flagsOf(segment)),
    }
  })
}

function resolvedOn({ segments }: Side, condition: Condition): Condition {
  return resolvedIn(segments ?? noReferences, condition)
}

/** Returns the segments that a flag uses in an environment, directly or through others. */
function usesIn({ flags, segments }: Side): (key: string, environment: string) => ReadonlySet<string> {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  return (key, environment) => {
    const names = new Set<string>()
    const addFrom = (condition: Condition) => {
      for (const name of namesOf(referencesIn(condition)).segments) names.add(name)
    }
    for (const { condition } of byKey.get(key)?.configurations.get(environment)?.rules ?? [])
      addFrom(condition)
    for (const name of names) {
      // Iterating over a set also visits what is added meanwhile.
      const condition = segments?.conditions.get(name)
      if (condition !== undefined) addFrom(condition)
    }
    return names
  }
}
