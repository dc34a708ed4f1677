/** The milliseconds of a valid Date; `undefined` for everything else, even objects that only look like a Date. */
export function dateTime(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined
  try {
    // Not `instanceof`: the Date may come from another realm. An object can fool this check, but not `getTime`.
    if (Object.prototype.toString.call(value) !== "[object Date]") return undefined
    const time = Date.prototype.getTime.call(value)
    return Number.isNaN(time) ? undefined : time
  } catch {
    return undefined
  }
}
