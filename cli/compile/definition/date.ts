import { parseTime } from "../../../proxy/contract/time.ts"

const dayShape = /^\d{4}-\d{2}-\d{2}$/

/**
 * The time of an RFC 3339 `date-time`, or of a `full-date`'s beginning in UTC, in milliseconds since 1970; `undefined` for
 * any other text.
 */
export function parseDate(text: string): number | undefined {
  if (dayShape.test(text)) return parseTime(`${text}T00:00:00Z`)
  // RFC 3339 (5.6, 5.7) allows more than the contract's times: small letters, any fraction, and leap seconds, which
  // JavaScript dates do not have.
  return parseTime(
    text
      .toUpperCase()
      .replace(/:60(?=[.Z+-])/, ":59")
      .replace(/(\.\d{3})\d+/, "$1"),
  )
}
