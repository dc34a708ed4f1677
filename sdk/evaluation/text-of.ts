import { dateTime } from "./date-time.ts"

/** The text of a value that has one: a string, number, BigInt, boolean or valid Date. */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value
    case "number":
    case "boolean":
      return String(value)
    case "bigint":
      return String(Number(value))
    default: {
      const time = dateTime(value)
      return time === undefined ? undefined : new Date(time).toISOString()
    }
  }
}
