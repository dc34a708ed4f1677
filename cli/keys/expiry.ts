import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { parseDuration } from "../duration.ts"
import { Failure } from "../failure.ts"

/** The last time that a key can have, in milliseconds since the epoch. */
export const latestExpiry = Date.UTC(9999, 11, 31)

/**
 * The time when a key stops being valid, in milliseconds since the epoch: a duration from `now` (`90d`), an RFC 3339
 * date-time, or a date, which means its start in UTC. `undefined` for any other string, for times in the past and for
 * years after 9999.
 */
function parseExpiry(text: string, now: number): number | undefined {
  const duration = parseDuration(text)
  const moment = duration === undefined ? parseMoment(text) : now + duration
  return moment !== undefined && moment > now && moment <= latestExpiry ? moment : undefined
}

/** The same of an option. Throws `Failure` with what to write. */
export function readExpiry(option: string, text: string, now: number): number {
  const time = parseExpiry(text, now)
  if (time !== undefined) return time
  throw new Failure(
    `${option}: write a time in the future, such as 90d, 12h, 2027-03-01 or 2027-03-01T12:00:00Z`,
  )
}
