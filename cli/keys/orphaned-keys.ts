import { type KeyRecord, keyState } from "../../proxy/contract/key-record.ts"
import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"

/** The environments that a change removes. */
export interface Departure {
  readonly project: string
  /** The names of the removed environments. */
  readonly gone: readonly string[]
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number
}

/**
 * A line for each removed environment that keys of `file`, valid now or later, still name: their clients will get a 503.
 */
export function warnOfOrphanedKeys(
  file: string,
  keys: readonly KeyRecord[],
  { project, gone, now }: Departure,
): string {
  return gone
    .map((environment) => {
      const ids = keys
        .filter((key) => key.environment === environment && (key.project ?? project) === project)
        .filter((key) => ["active", "not yet"].includes(keyState(key, now)))
        .map(({ id }) => id)
      if (ids.length === 0) return ""
      const shown = ids.slice(0, shownIds).join(", ") + (ids.length > shownIds ? ", …" : "")
      return `warning: ${printable(environment)} is removed, but ${plural(ids.length, "key")} of ${file} can still read it (${shown}): their clients will get a 503. Revoke the keys first, or keep the environment.\n`
    })
    .join("")
}

const shownIds = 5
