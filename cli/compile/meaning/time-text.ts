/** An ISO 8601 timestamp in UTC with milliseconds. */
export type TimeText = (milliseconds: number) => string

/** git stores any time that a committer claims; timestamps have years of four digits. */
export const timeText: TimeText = (milliseconds) =>
  new Date(Math.min(milliseconds, 253_402_300_799_000)).toISOString()

/** The same for many flags, most of which have one of a few times. */
export function createTimeText(): TimeText {
  const texts = new Map<number, string>()
  return (milliseconds) => {
    const text = texts.get(milliseconds) ?? timeText(milliseconds)
    texts.set(milliseconds, text)
    return text
  }
}
