import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { parseDuration } from "../duration.ts"

const latest = Date.UTC(9999, 11, 31)

/**
 * The time when a key stops being valid, in milliseconds since the epoch: a duration from `now` (`90d`), an RFC 3339
 * date-time, or a date, which means its start in UTC. `undefined` for any other string, for times in the past and for
 * years after 9999.
 */
export function parseExpiry(text: string, now: number): number | undefined {
  const duration = parseDuration(text)
  const moment = duration === undefined ? parseMoment(text) : now + duration
  return moment !== undefined && moment > now && moment <= latest ? moment : undefined
}
