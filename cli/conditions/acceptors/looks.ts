import { after, before, type Compare, everyValue, type Intervals, subtract } from "../intervals.ts"
import { firstWritten, lastDate, lastWritten, numbersAtMoments } from "../moments.ts"
import { compareNumbers } from "../numbers.ts"
import type { Sides } from "../scalar-question.ts"
import { compareVersions } from "../versions.ts"
import type { Work } from "../work.ts"
import type { Acceptor } from "./acceptor.ts"
import { ask, type Reader, reader, type Spelled } from "./ask.ts"
import { momentMachine } from "./moment-machine.ts"
import { narrowerZones, type Zone } from "./moment-zone.ts"
import { numberTextMachine } from "./number-text-machine.ts"
import { numeralMachine, type Precision } from "./numeral-machine.ts"
import type { SearchResult } from "./search.ts"
import { alphabets } from "./symbols.ts"
import { versionMachine } from "./version-machine.ts"

/** A look at some of the scalars: at texts, or the texts of numbers or of Dates. */
export interface Look {
  readonly run: (work: Work) => SearchResult
  /** Closer looks at what the guide accepts, which together take in all of it. */
  readonly closer: (guide: Acceptor) => readonly Look[]
}

/** The looks that together take in all scalars that JSON can carry. */
export function looksOf(spelled: Spelled): readonly Look[] {
  if (spelled.question.moments.holds.length === 0) return [lookAtTexts(spelled)]
  // No text is both a number and a moment.
  const zones = spelled.values.numbers === undefined ? ["utc", "+", "-"] : []
  return [...zones.map((zone) => lookAtMoments(spelled, zone)), lookAtNumbers(spelled)]
}

/** The looks that take in all Dates that JSON cannot carry. */
export function dateLooksOf(spelled: Spelled): readonly Look[] {
  const { question, values } = spelled
  // A Date is neither a number nor a version.
  const isAsked =
    question.moments.holds.length > 0 && values.numbers === undefined && values.versions === undefined
  return isAsked ? [lookAtMoments(spelled, "date")] : []
}

const grammarOnly: Precision = { scale: 0, digits: 1 }
/**
 * The first decides most questions. The last has all digits of every boundary, fewer than 770, and all scales of texts of
 * 1,000 digits.
 */
const precisions: readonly Precision[] = [
  grammarOnly,
  { scale: 8, digits: 20 },
  { scale: 40, digits: 60 },
  { scale: 400, digits: 800 },
  { scale: 1_100, digits: 800 },
]

/** Texts that are numbers, versions or both. */
function lookAtTexts(spelled: Spelled, at = 0, guide?: Acceptor): Look {
  const { question, values } = spelled
  const precision = precisions[at] ?? grammarOnly
  const kinds = values.numbers === undefined ? [] : [alphabets.number]
  const exact = () => [
    ...versionReaders(spelled),
    // A date alone can be a version.
    ...(question.moments.fails.length === 0 || values.numbers !== undefined
      ? []
      : [reader(momentMachine(without(question.moments, compareNumbers), false, "utc"))]),
  ]
  const hasCloser = at + 1 < precisions.length
  return {
    run: (work) => {
      const readers = [...numeralReaders(spelled, precision), ...(guide === undefined ? exact() : [])]
      return ask(spelled, { kinds, readers, guide, hasCloser }, work)
    },
    closer: (next) => (hasCloser ? [lookAtTexts(spelled, at + 1, next)] : []),
  }
}

/** Texts that are moments and have a certain offset, or Dates that no such text can say. */
function lookAtMoments(spelled: Spelled, zone: Zone, guide?: Acceptor): Look {
  const { moments = [] } = spelled.values
  const isDate = zone === "date"
  const kinds = [alphabets.moment]
  const narrower = narrowerZones(zone)
  const valueIn = isDate ? dateOf : (text: string) => text
  return {
    run: (work) => {
      const intervals = isDate ? subtract([moments, dates], [written], compareNumbers) : moments
      const exact = isDate || guide !== undefined ? [] : versionReaders(spelled)
      const readers = [reader(momentMachine(intervals, true, zone)), ...exact]
      return ask(spelled, { kinds, readers, guide, hasCloser: narrower.length > 0, valueIn }, work)
    },
    closer: (next) => narrower.map((one) => lookAtMoments(spelled, one, next)),
  }
}

const written: Intervals<number> = [{ from: before(firstWritten), to: after(lastWritten) }]
const dates: Intervals<number> = [{ from: before(-lastDate), to: after(lastDate) }]
const finite: Intervals<number> = [{ from: before(-Number.MAX_VALUE), to: after(Number.MAX_VALUE) }]

function dateOf(text: string): Date | undefined {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : undefined
}

/** The last look is exact: the text of a number has at most 21 digits before its point, and few after it. */
const numberDepths: readonly { readonly isExact: boolean; readonly precision: Precision }[] = [
  { isExact: false, precision: grammarOnly },
  { isExact: false, precision: { scale: 22, digits: 18 } },
  { isExact: true, precision: { scale: 22, digits: 18 } },
]

/** Numbers of milliseconds. */
function lookAtNumbers(spelled: Spelled, at = 0, guide?: Acceptor): Look {
  const { moments = [], numbers } = spelled.values
  const { isExact, precision } = numberDepths[at] ?? { isExact: true, precision: grammarOnly }
  const kinds = [alphabets.number]
  const hasCloser = at + 1 < numberDepths.length
  const valueIn = (text: string) => (String(Number(text)) === text ? Number(text) : undefined)
  return {
    run: (work) => {
      const positive = numbers ?? moments.flatMap((interval) => numbersAtMoments(interval) ?? [])
      const fails = spelled.question.numbers.fails.map((one) => one.intervals)
      const intervals = subtract([positive, finite], fails, compareNumbers)
      const readers = [
        reader(numberTextMachine(isExact)),
        reader(numeralMachine(intervals, true, precision)),
        ...(guide === undefined ? versionReaders(spelled) : []),
      ]
      return ask(spelled, { kinds, readers, guide, hasCloser, valueIn }, work)
    },
    closer: (next) => (hasCloser ? [lookAtNumbers(spelled, at + 1, next)] : []),
  }
}

function numeralReaders({ question, values }: Spelled, precision: Precision): readonly Reader[] {
  const { numbers } = values
  if (numbers === undefined && question.numbers.fails.length === 0) return []
  const intervals = numbers ?? without(question.numbers, compareNumbers)
  return [reader(numeralMachine(intervals, numbers !== undefined, precision))]
}

function versionReaders({ question, values }: Spelled): readonly Reader[] {
  const { versions } = values
  if (versions === undefined && question.versions.fails.length === 0) return []
  const intervals = versions ?? without(question.versions, compareVersions)
  return [reader(versionMachine(intervals, versions !== undefined))]
}

/** The values that no constraint that fails has. */
function without<T>(
  { fails }: Sides<{ readonly intervals: Intervals<T> }>,
  compare: Compare<T>,
): Intervals<T> {
  return subtract(
    [everyValue],
    fails.map(({ intervals }) => intervals),
    compare,
  )
}
