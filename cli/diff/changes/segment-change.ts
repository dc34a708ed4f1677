import type { Condition } from "../../../sdk/evaluation/condition.ts"
import { addUses } from "../../compile/meaning/open-condition.ts"
import { changedSegments, segmentsWithin } from "../sides/changed-segments.ts"
import type { CompiledSide } from "../sides/compile-sides.ts"
import type { Change } from "./change.ts"

/** A segment that stands for another condition now, and the flags that give other values where they use it. */
export interface SegmentChange {
  readonly segment: string
  /** `null`: there was none. */
  readonly before: Condition | null
  /** `null`: there is none any more. */
  readonly after: Condition | null
  /** The keys of the flags, by environment; without environments in which none gives another value. */
  readonly flags: Readonly<Record<string, readonly string[]>>
}

/** The segments that differ, by name. A flag counts for each segment that its configuration uses on one of the sides. */
export function segmentChanges(
  before: CompiledSide,
  after: CompiledSide,
  changes: readonly Change[],
): readonly SegmentChange[] {
  const names = [...changedSegments(before.segments, after.segments)].sort()
  if (names.length === 0) return []
  const reached = new Map(names.map((name) => [name, new Map<string, Set<string>>()]))
  const users = [usersIn(before), usersIn(after)]
  for (const change of changes) {
    if (!("flag" in change)) continue
    for (const { environment } of change.effects)
      for (const uses of users)
        for (const name of uses(change.flag, environment)) {
          const flags = reached.get(name)
          flags?.set(environment, (flags.get(environment) ?? new Set()).add(change.flag))
        }
  }
  return names.map((segment) => ({
    segment,
    before: before.segments.segments.get(segment)?.condition ?? null,
    after: after.segments.segments.get(segment)?.condition ?? null,
    flags: Object.fromEntries([...(reached.get(segment) ?? [])].map(([name, keys]) => [name, [...keys]])),
  }))
}

/** Gives the segments that a flag uses in an environment, directly or through others. */
function usersIn({ side, segments }: CompiledSide) {
  const flags = new Map(side.flags.map((flag) => [flag.flag.key, flag]))
  return (key: string, environment: string): ReadonlySet<string> => {
    const names = new Set<string>()
    for (const { condition } of flags.get(key)?.open?.get(environment)?.rules ?? []) addUses(condition, names)
    return segmentsWithin(names, segments)
  }
}
