/**
 * A version or, with `isRange`, all versions that begin with its numbers. Numbers can have any size, so they stay
 * strings, without leading zeros: the number 0 is `""`.
 */
export interface VersionOperand {
  readonly numbers: readonly string[]
  readonly prerelease: readonly Identifier[]
  readonly isRange: boolean
}

interface Identifier {
  readonly isNumber: boolean
  /** A number without leading zeros, or a word. */
  readonly text: string
}

/** `[v]number(.number)*[-pre.release][+build]`, or a range `[v]number(.number)*.*`. */
export const versionGrammar =
  /^v?(\d+(?:\.\d+)*)(?:(\.\*)|(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/

/** Reads a version or a range; `undefined` for any other string. */
export function parseVersionOperand(text: string): VersionOperand | undefined {
  const match = versionGrammar.exec(text)
  if (match === null) return undefined
  const [, numbers = "", range, prerelease] = match
  return {
    numbers: numbers.split(".").map(withoutZeros),
    prerelease: prerelease === undefined ? noIdentifiers : prerelease.split(".").map(identifier),
    isRange: range !== undefined,
  }
}

const noIdentifiers: readonly Identifier[] = []

function identifier(text: string): Identifier {
  const isNumber = /^\d+$/.test(text)
  return { isNumber, text: isNumber ? withoutZeros(text) : text }
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, "")
}

/**
 * Whether the version in `text` comes before (negative), equals (0) or comes after (positive) the operand; a version in
 * a range equals it. `undefined` if `text` is not a version. One pass, which allocates nothing for versions without
 * words.
 */
export function compareVersion(text: string, operand: VersionOperand): number | undefined {
  let order = 0
  let start = text.charCodeAt(0) === letterV ? 1 : 0
  let count = 0
  for (; ; count++) {
    const end = endOf(text, start, isDigit)
    if (end === start) return undefined
    if (order === 0 && (count < operand.numbers.length || !operand.isRange))
      order = compareNumber(text, start, end, operand.numbers[count] ?? "")
    start = end
    if (text.charCodeAt(start) !== dot) break
    start++
  }
  for (; order === 0 && count + 1 < operand.numbers.length; count++)
    if (operand.numbers[count + 1] !== "") order = -1

  let parts = 0
  if (text.charCodeAt(start) === hyphen) {
    const comparesParts = order === 0 && !operand.isRange
    let partOrder = 0
    do {
      const end = endOf(text, ++start, isIdentifierUnit)
      if (end === start) return undefined
      if (comparesParts && partOrder === 0)
        partOrder = compareIdentifier(text, start, end, operand.prerelease[parts])
      parts++
      start = end
    } while (text.charCodeAt(start) === dot)
    if (comparesParts) order = operand.prerelease.length === 0 ? -1 : partOrder
  }
  if (text.charCodeAt(start) === plus)
    do {
      const end = endOf(text, ++start, isIdentifierUnit)
      if (end === start) return undefined
      start = end
    } while (text.charCodeAt(start) === dot)
  if (start !== text.length) return undefined

  // All common parts are equal: fewer parts come first, but no parts at all, which is a release, come last.
  if (order === 0 && !operand.isRange && parts < operand.prerelease.length) order = parts === 0 ? 1 : -1
  return order
}

/** Compares the number in `text` between `start` and `end` with one that has no leading zeros. */
function compareNumber(text: string, start: number, end: number, number: string): number {
  let from = start
  while (from < end && text.charCodeAt(from) === zero) from++
  let order = end - from - number.length
  for (let index = 0; order === 0 && index < number.length; index++)
    order = text.charCodeAt(from + index) - number.charCodeAt(index)
  return order
}

/** Numbers come before words; numbers are compared as numbers, words by ASCII; a missing identifier comes first. */
function compareIdentifier(
  text: string,
  start: number,
  end: number,
  operand: Identifier | undefined,
): number {
  if (operand === undefined) return 1
  const isNumber = endOf(text, start, isDigit) === end
  if (isNumber !== operand.isNumber) return isNumber ? -1 : 1
  if (isNumber) return compareNumber(text, start, end, operand.text)
  const word = text.slice(start, end)
  return word === operand.text ? 0 : word < operand.text ? -1 : 1
}

/** The end of the run of matching code units that begins at `start`. */
function endOf(text: string, start: number, matches: (unit: number) => boolean): number {
  let end = start
  while (end < text.length && matches(text.charCodeAt(end))) end++
  return end
}

const [zero, dot, hyphen, plus, letterV] = [48, 46, 45, 43, 118]

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

function isIdentifierUnit(unit: number): boolean {
  return isDigit(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === hyphen
}
