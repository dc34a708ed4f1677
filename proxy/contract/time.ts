const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** The moment that an RFC 3339 date-time names, in milliseconds since the epoch; `undefined` for any other text. */
export function parseTime(text: string): number | undefined {
  const clock = shape.exec(text)?.[1]
  // Date.parse takes 30 February for 2 March and 24:00 for the next day; RFC 3339 allows neither.
  if (clock === undefined || !isReal(clock)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
}

/** Whether a value is the text of an RFC 3339 date-time. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && parseTime(value) !== undefined
}

function isReal(clock: string): boolean {
  const moment = new Date(`${clock}Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(clock)
}
