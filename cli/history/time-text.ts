/**
 * An ISO 8601 timestamp in UTC with milliseconds. Git stores any time that a committer claims, but our timestamps have four-digit
 * years.
 */
export function timeText(milliseconds: number): string {
  return new Date(Math.min(milliseconds, 253_402_300_799_000)).toISOString()
}
