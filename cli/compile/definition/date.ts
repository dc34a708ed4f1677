import { parseTime } from "../../../proxy/contract/time.ts"

const dayShape = /^\d{4}-\d{2}-\d{2}$/

/**
 * The moment that an RFC 3339 `full-date` (its first, in UTC) or `date-time` names, in milliseconds since the epoch;
 * `undefined` for any other text.
 */
export function parseDate(text: string): number | undefined {
  if (dayShape.test(text)) return parseTime(`${text}T00:00:00Z`)
  // What RFC 3339 (5.6, 5.7) allows beyond the contract's times: small letters, any fraction, and leap seconds, which
  // no JavaScript date has.
  return parseTime(
    text
      .toUpperCase()
      .replace(/:60(?=[.Z+-])/, ":59")
      .replace(/(\.\d{3})\d+/, "$1"),
  )
}
