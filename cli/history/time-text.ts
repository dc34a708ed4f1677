/** Our timestamps have four-digit years; git stores any time that a committer claims. */
const latest = 253_402_300_799_000

/** A commit's time in milliseconds since the epoch, from git's `%ct` in seconds, which is empty if git cannot read the time. */
export function commitTime(seconds = ""): number {
  return Math.min(Number(seconds) * 1000, latest)
}

/** An ISO 8601 timestamp in UTC with milliseconds. */
export function timeText(milliseconds: number): string {
  return new Date(Math.min(milliseconds, latest)).toISOString()
}
