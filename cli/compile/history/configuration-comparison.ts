import type { Segments } from "../definition/segments.ts"
import type { FlagVersion } from "../meaning/flag-version.ts"
import { closeText, isSameMeaning, type Meaning } from "../meaning/meaning.ts"

/** Whether a configuration means the same in two versions, each with the segments of its time. */
export type IsSame = (before: FlagVersion | undefined, after: FlagVersion, environment: string) => boolean

/** `changed`: the names of the segments that the revision gives another meaning. */
export function compareWithSegments(
  segmentsBefore: Segments,
  segmentsAfter: Segments,
  changed: ReadonlySet<string>,
): IsSame {
  return (before, after, environment) => {
    const meaningBefore = before?.configurations.get(environment)
    const meaningAfter = after.configurations.get(environment) as Meaning
    const uses = after.uses?.get(environment)
    if (before === undefined || meaningBefore === undefined) return false
    if (uses !== undefined && meaningBefore === meaningAfter) {
      if (!uses.some((name) => changed.has(name))) return true
      // Other conditions in the same places mean something else; only a group that nobody can read hides them.
      if (uses.every((name) => segmentsBefore.get(name) && segmentsAfter.get(name))) return false
    }
    return isSameMeaning(
      closed(meaningBefore, before, environment, segmentsBefore),
      closed(meaningAfter, after, environment, segmentsAfter),
    )
  }
}

function closed(meaning: Meaning, version: FlagVersion, environment: string, segments: Segments): Meaning {
  return version.uses?.has(environment) ? closeText(meaning, segments) : meaning
}
