import type { References } from "../language/references.ts"
import { type Meaning, meaningWith, type ReferringMeaning } from "./configuration-meaning.ts"
import type { FlagVersion } from "./flag-version.ts"

/** Whether a configuration means the same in two versions, each with the segments of its time. */
export type IsSame = (before: FlagVersion | undefined, after: FlagVersion, environment: string) => boolean

/** `changed`: the names of the segments whose meaning the revision changes. */
export function compareWithSegments(
  segmentsBefore: References,
  segmentsAfter: References,
  changed: ReadonlySet<string>,
): IsSame {
  return (before, after, environment) => {
    const [meaningBefore, meaningAfter] = [before, after].map((one) => one?.configurations.get(environment))
    if (before === undefined || meaningBefore === undefined || meaningAfter === undefined) return false
    if (isSameText(meaningBefore, meaningAfter)) {
      const { segments } = meaningAfter
      if (!segments.some((name) => changed.has(name))) return true
      // Different conditions in the same places change the meaning, unless they are in an unreadable group.
      if (segments.every((name) => segmentsBefore.get(name) && segmentsAfter.get(name))) return false
    }
    const { key } = after
    return resolve(meaningBefore, segmentsBefore, key) === resolve(meaningAfter, segmentsAfter, key)
  }
}

function isSameText(a: Meaning | ReferringMeaning, b: Meaning | ReferringMeaning): b is ReferringMeaning {
  return typeof a === "object" && typeof b === "object" && a.json === b.json
}

function resolve(meaning: Meaning | ReferringMeaning, references: References, key: string): Meaning {
  return typeof meaning === "object" ? meaningWith(meaning, references, key) : meaning
}
