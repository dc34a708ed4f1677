import type { Segments } from "../definition/segments.ts"
import type { FlagVersion } from "../meaning/flag-version.ts"
import { type Meaning, meaningWith, type OpenText } from "../meaning/meaning.ts"

/** Whether a configuration means the same in two versions, each with the segments of its time. */
export type IsSame = (before: FlagVersion | undefined, after: FlagVersion, environment: string) => boolean

/** `changed`: the names of the segments whose meaning the revision changes. */
export function compareWithSegments(
  segmentsBefore: Segments,
  segmentsAfter: Segments,
  changed: ReadonlySet<string>,
): IsSame {
  return (before, after, environment) => {
    const meaningBefore = before?.configurations.get(environment)
    const meaningAfter = after.configurations.get(environment)
    const uses = after.uses?.get(environment)
    if (before === undefined || meaningBefore === undefined || meaningAfter === undefined) return false
    if (uses !== undefined && meaningBefore === meaningAfter) {
      if (!uses.some((name) => changed.has(name))) return true
      // Different conditions in the same places change the meaning, unless they are in an unreadable group.
      if (uses.every((name) => segmentsBefore.get(name) && segmentsAfter.get(name))) return false
    }
    return (
      closed(meaningBefore, before, environment, segmentsBefore) ===
      closed(meaningAfter, after, environment, segmentsAfter)
    )
  }
}

function closed(
  meaning: Meaning | OpenText,
  version: FlagVersion,
  environment: string,
  segments: Segments,
): Meaning {
  return version.uses?.has(environment) ? meaningWith(meaning, segments) : meaning
}
