/** An ISO 8601 timestamp in UTC with milliseconds. */
export type TimeText = (milliseconds: number) => string

/** Git stores any time that a committer claims, but our timestamps have four-digit years. */
export const timeText: TimeText = (milliseconds) =>
  new Date(Math.min(milliseconds, 253_402_300_799_000)).toISOString()

/** The same with a cache, for many flags that have few different times. */
export function createTimeText(): TimeText {
  const texts = new Map<number, string>()
  return (milliseconds) => {
    const text = texts.get(milliseconds) ?? timeText(milliseconds)
    texts.set(milliseconds, text)
    return text
  }
}
