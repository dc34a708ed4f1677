import type { VersionOperand } from "../../../sdk/evaluation/version.ts"

/** How a version that is read character by character compares with another: decided, or equal up to the part being read. */
export type Order = -1 | 0 | 1 | Comparing

/** The part being read, a number or an identifier of the pre-release, and how it compares so far. */
export interface Comparing {
  readonly isPre: boolean
  readonly part: number
  /** Characters of the part; of a number without the zeros before it. */
  readonly length: number
  readonly order: -1 | 0 | 1
  readonly hasLetters: boolean
}

export const startOrder: Comparing = { isPre: false, part: 0, length: 0, order: 0, hasLetters: false }

/** Another character of the part. */
export function afterCharacter(
  state: Comparing,
  { numbers, prerelease }: VersionOperand,
  character: string,
): Order {
  if (!state.isPre) return afterDigit(state, numbers[state.part] ?? "", character)
  const identifier = prerelease[state.part]
  // More identifiers come after fewer.
  if (identifier === undefined) return 1
  const isDigit = /\d/.test(character)
  if (identifier.isNumber) return isDigit ? afterDigit(state, identifier.text, character) : 1
  const { text } = identifier
  const hasLetters = state.hasLetters || !isDigit
  const order =
    state.order !== 0
      ? state.order
      : state.length < text.length
        ? compare(character, text[state.length] ?? "")
        : 1
  // A number comes before a word, so what is smaller as a word is smaller in any case.
  if (order < 0 || (order > 0 && hasLetters)) return order
  return { ...state, length: order === 0 ? state.length + 1 : 0, order, hasLetters }
}

function afterDigit(state: Comparing, number: string, digit: string): Order {
  if (state.length === 0 && digit === "0") return state
  const { length } = state
  // A number with more digits is greater, and so is a word.
  if (length >= number.length) return 1
  return { ...state, length: length + 1, order: state.order || compare(digit, number[length] ?? "") }
}

/** The part ended, and another one follows: a number, or with `isPre` an identifier. */
export function afterPart(state: Comparing, operand: VersionOperand, isPre: boolean): Order {
  const order = orderOfPart(state, operand)
  if (order !== 0) return order
  // All numbers that are missing are alike.
  if (isPre === state.isPre)
    return {
      ...startOrder,
      isPre,
      part: isPre ? state.part + 1 : Math.min(state.part + 1, operand.numbers.length),
    }
  const numbers = orderOfNumbers(state.part, operand)
  // A pre-release comes before its release.
  if (numbers !== 0 || operand.prerelease.length === 0) return -1
  return { ...startOrder, isPre }
}

/** The version ended, but for its build. */
export function afterEnd(state: Comparing, operand: VersionOperand): -1 | 0 | 1 {
  const order = orderOfPart(state, operand)
  if (order !== 0) return order
  if (state.isPre) return state.part + 1 < operand.prerelease.length ? -1 : 0
  return orderOfNumbers(state.part, operand) || (operand.prerelease.length > 0 ? 1 : 0)
}

/** How the part compares if it ends here. */
function orderOfPart(
  { isPre, part, length, order, hasLetters }: Comparing,
  operand: VersionOperand,
): -1 | 0 | 1 {
  const identifier = isPre ? operand.prerelease[part] : { isNumber: true, text: operand.numbers[part] ?? "" }
  if (identifier === undefined) return 1
  if (!identifier.isNumber && !hasLetters) return -1
  return order === 0 || identifier.isNumber ? (length < identifier.text.length ? -1 : order) : order
}

/** How the numbers compare if there are no more: missing ones are 0. */
function orderOfNumbers(part: number, { numbers }: VersionOperand): -1 | 0 {
  return numbers.slice(part + 1).some((number) => number !== "") ? -1 : 0
}

function compare(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0
}
