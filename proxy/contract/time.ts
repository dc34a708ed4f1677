const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** The time of an RFC 3339 date-time, in milliseconds since the epoch; `undefined` for any other string. */
export function parseTime(text: string): number | undefined {
  const clock = shape.exec(text)?.[1]
  // Date.parse reads 30 February as 2 March and 24:00 as the next day; RFC 3339 allows neither.
  if (clock === undefined || !isReal(clock)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
}

/** Whether a value is an RFC 3339 date-time. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && parseTime(value) !== undefined
}

function isReal(clock: string): boolean {
  const moment = new Date(`${clock}Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(clock)
}
