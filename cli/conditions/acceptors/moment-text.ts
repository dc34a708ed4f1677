/** How years are written: four digits, or a sign and six for a Date outside the years 0 to 9999. */
export interface Form {
  readonly yearDigits: 4 | 6
}

/** Milliseconds of the calendar's 400 years, after which it repeats. */
const fourCenturies = 146_097 * 86_400_000

/**
 * The first and the last millisecond, without an offset, of the local times that begin with a text, `YYYY-MM-DD` and then
 * `THH:MM:SS.sss`. The text has no sign.
 */
export function rangeOf(
  text: string,
  { yearDigits }: Form,
  isBeforeZero: boolean,
): readonly [number, number] {
  const low = completed(text, yearDigits, "0", isBeforeZero)
  const high = completed(text, yearDigits, "9", isBeforeZero)
  return low <= high ? [low, high] : [high, low]
}

/** Reads the text with its missing digits filled in, as far as clock and calendar go. */
function completed(text: string, yearDigits: number, digit: string, isBeforeZero: boolean): number {
  const number = (from: number, length: number, least: number, most: number, fill = digit) =>
    Math.min(Math.max(Number(text.slice(from, from + length).padEnd(length, fill)), least), most)
  const size = number(0, yearDigits, 0, 999_999)
  const year = isBeforeZero ? -size : size
  // Backwards from the year 0, the least year is the last one: the rest of the time still goes forwards.
  const rest = isBeforeZero && text.length < yearDigits ? (digit === "0" ? "9" : "0") : digit
  const month = number(yearDigits + 1, 2, 1, 12, rest)
  const day = number(yearDigits + 4, 2, 1, daysOf(size, month), rest)
  const at = yearDigits + 7
  const hour = number(at, 2, 0, 23, rest)
  const minute = number(at + 3, 2, 0, 59, rest)
  const second = number(at + 6, 2, 0, 59, rest)
  const millisecond = number(at + 9, 3, 0, 999, rest)
  const [cycle, ofCycle] = [Math.floor(year / 400), ((year % 400) + 400) % 400]
  return (
    Date.UTC(2000 + ofCycle, month - 1, day, hour, minute, second, millisecond) + (cycle - 5) * fourCenturies
  )
}

function daysOf(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Whether one more character may come next in a local time with three or more digits of a fraction. */
export function mayFollow(text: string, character: string, { yearDigits }: Form): boolean {
  const at = text.length - yearDigits
  const isDigit = character >= "0" && character <= "9"
  if (at < 0) return isDigit
  const expected = "-dd-ddTdd:dd:dd."[at] ?? "d"
  if (expected !== "d")
    return character === expected || (character === "t" && expected === "T" && yearDigits === 4)
  if (!isDigit) return false
  const last = text.at(-1) ?? ""
  const value = Number(last + character)
  switch (at) {
    case 1:
      return character <= "1"
    case 2:
      return value >= 1 && value <= 12
    case 4:
      return character <= "3"
    case 5:
      return value >= 1 && value <= daysOf(Number(text.slice(0, yearDigits)), monthOf(text, yearDigits))
    case 7:
      return character <= "2"
    case 8:
      return last < "2" || character <= "3"
    case 10:
    case 13:
      return character <= "5"
    default:
      return true
  }
}

function monthOf(text: string, yearDigits: number): number {
  return Number(text.slice(yearDigits + 1, yearDigits + 3))
}

/** A local time after which the same may follow, the same for all of which that is true. */
export function alike(text: string, { yearDigits }: Form): string {
  const year = alikeYear(text.slice(0, yearDigits), yearDigits)
  if (text.length <= yearDigits + 2) return year + text.slice(yearDigits)
  const month = monthOf(text, yearDigits)
  const days = month === 2 ? 2 : daysOf(1, month) === 30 ? 4 : 1
  if (text.length < yearDigits + 6) return `${year}-0${days}${text.slice(yearDigits + 3)}`
  // A Date has three digits after the point, a text any number of them.
  const rest = `-01-01T00:00:00.0${yearDigits === 6 ? "00" : ""}`.slice(0, text.length - yearDigits)
  // The first digit of an hour, a minute or a second bounds the second one.
  const open = [8, 11, 14].includes(text.length - yearDigits)
  const digit = (text.at(-1) ?? "") >= "2" && text.length - yearDigits === 8 ? "2" : "0"
  return "2".padEnd(yearDigits, "0") + (open ? rest.slice(0, -1) + digit : rest)
}

/** Years differ in whether they are leap years, which their last four digits say. */
function alikeYear(digits: string, yearDigits: number): string {
  const [century, decade] = [digits.slice(0, yearDigits - 2), digits.slice(yearDigits - 2)]
  const sameCentury =
    century.length < yearDigits - 2 ? alikeTens(century) : Number(century) % 4 === 0 ? "0" : "1"
  const years = sameCentury.padStart(century.length, "0")
  if (decade.length === 0) return years
  if (decade.length === 1) return years + (decade === "0" ? "0" : Number(decade) % 2 === 0 ? "2" : "1")
  return "2".padEnd(yearDigits - 1, "0") + (isLeap(Number(digits)) ? "0" : "1")
}

/** Of a number that gets one more digit: what it then is when divided by 4 depends on whether it is even. */
function alikeTens(digits: string): string {
  return digits === "" ? "" : String(Number(digits.at(-1)) % 2)
}
