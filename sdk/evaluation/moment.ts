import { dateTime } from "./date-time.ts"

/** The milliseconds since the epoch of a number, a BigInt, a Date, or an RFC 3339 string. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value === "string") return parseMoment(value)
  return typeof value === "number" || typeof value === "bigint" ? Math.trunc(Number(value)) : dateTime(value)
}

/** The form of a moment. Not every string of this form is a valid date. */
export const momentGrammar = /^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/
const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** The calendar repeats after 400 years. They are added because `Date.UTC` reads the years 0 to 99 as 1900 to 1999. */
const fourCenturies = 146_097 * 86_400_000

/** The moment of an RFC 3339 date-time, or of a date's midnight in UTC. Fractions of a millisecond are cut off. */
export function parseMoment(text: string): number | undefined {
  if (!momentGrammar.test(text)) return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  const days = month === 2 && isLeap(year) ? 29 : (daysOfMonth[month - 1] ?? 0)
  if (day < 1 || day > days) return undefined
  const date = Date.UTC(year + 400, month - 1, day) - fourCenturies
  if (text.length === 10) return date

  const hour = digits(text, 11, 13)
  const minute = digits(text, 14, 16)
  const second = digits(text, 17, 19)
  const offset = offsetOf(text)
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined
  return date + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecond(text)
}

/** The offset in minutes at the end of the text. */
function offsetOf(text: string): number | undefined {
  const sign = text.charAt(text.length - 6)
  if (sign !== "+" && sign !== "-") return 0
  const hours = digits(text, text.length - 5, text.length - 3)
  const minutes = digits(text, text.length - 2, text.length)
  if (hours > 23 || minutes > 59) return undefined
  return sign === "-" ? -(hours * 60 + minutes) : hours * 60 + minutes
}

function millisecond(text: string): number {
  if (text.charAt(19) !== ".") return 0
  let result = 0
  for (let index = 20, unit = 100; unit >= 1 && isDigit(text, index); index++, unit /= 10)
    result += digits(text, index, index + 1) * unit
  return result
}

function isDigit(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 48 && unit <= 57
}

function digits(text: string, from: number, to: number): number {
  let result = 0
  for (let index = from; index < to; index++) result = result * 10 + text.charCodeAt(index) - 48
  return result
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
