/** An ISO 8601 timestamp in UTC with milliseconds. */
export type TimeText = (milliseconds: number) => string

/** Most flags have one of a few times. git stores whatever a committer claims; timestamps have years of four digits. */
export function createTimeText(): TimeText {
  const texts = new Map<number, string>()
  return (milliseconds) => {
    const text =
      texts.get(milliseconds) ?? new Date(Math.min(milliseconds, 253_402_300_799_000)).toISOString()
    texts.set(milliseconds, text)
    return text
  }
}
