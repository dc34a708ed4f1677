/** Milliseconds. */
export const day = 86_400_000

/** How long ago a day was, in a few words: `today`, `3 days`, `5 months`, `2 years`. */
export function ageWords(time: number, now: number): string {
  const days = daysBetween(time, now)
  return days <= 0 ? "today" : wordsForDays(days)
}

/** How far a date is from today, in words: `in 3 days`, `today`, `expired 5 months ago`. */
export function expiryWords(date: string, now: number): string {
  const days = daysBetween(now, Date.parse(date))
  if (days === 0) return "today"
  return days > 0 ? `in ${wordsForDays(days)}` : `expired ${wordsForDays(-days)} ago`
}

/** Counts days in UTC, like the page's dates. */
function daysBetween(before: number, after: number): number {
  return Math.floor(after / day) - Math.floor(before / day)
}

function wordsForDays(days: number): string {
  const [count, unit] =
    days < 60 ? [days, "day"] : days < 731 ? [days / 30.44, "month"] : [days / 365.25, "year"]
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`
}
