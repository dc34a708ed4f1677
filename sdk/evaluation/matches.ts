import { numberOf } from "./decimal.ts"
import { anyElement, isEmptyList, isList } from "./lists.ts"
import { momentOf } from "./moment.ts"
import { textOf } from "./text-of.ts"
import { compareVersion, type VersionOperand } from "./version.ts"

/** Compares an attribute, `undefined` if it is missing, with an operand. */
export type Matches<T> = (value: unknown, operand: T) => boolean

/** A positive operator on texts: the attribute matches, or any element if it is a list. */
export function anyText<T>(test: (text: string, operand: T) => boolean): Matches<T> {
  const testElement: Matches<T> = (value, operand) => {
    const text = textOf(value)
    return text !== undefined && test(text, operand)
  }
  return (value, operand) =>
    typeof value === "string" ? test(value, operand) : any(value, testElement, operand)
}

/** The negation: an attribute without a text matches neither operator, and a list matches if none of its elements does. */
export function noText<T>(test: (text: string, operand: T) => boolean): Matches<T> {
  const anyMatches = anyText(test)
  return (value, operand) =>
    typeof value === "string"
      ? !test(value, operand)
      : (isList(value) || textOf(value) !== undefined) && !anyMatches(value, operand)
}

/** An operator on numbers. An attribute that is not a number never matches. */
export function anyNumber(test: (number: number, operand: number) => boolean): Matches<number> {
  const testElement: Matches<number> = (value, operand) => {
    const number = numberOf(value)
    return number !== undefined && test(number, operand)
  }
  return (value, operand) => any(value, testElement, operand)
}

/** An operator on moments. An attribute that is not a moment never matches. */
export function anyMoment(test: (moment: number, operand: number) => boolean): Matches<number> {
  const testElement: Matches<number> = (value, operand) => {
    const moment = momentOf(value)
    return moment !== undefined && test(moment, operand)
  }
  return (value, operand) => any(value, testElement, operand)
}

/** An operator on versions. `test` compares the order of version and operand with 0. */
export function anyVersion(test: (order: number, zero: number) => boolean): Matches<VersionOperand> {
  return anyText((text, operand) => {
    const order = compareVersion(text, operand)
    return order !== undefined && test(order, 0)
  })
}

/** Unlike other negations this one needs a version to compare: the attribute, or an element, unless the list is empty. */
export function otherVersion(): Matches<VersionOperand> {
  const isVersion = anyVersion(() => true)
  const equalsVersion = anyVersion((order) => order === 0)
  return (value, operand) =>
    (isVersion(value, operand) || isEmptyList(value)) && !equalsVersion(value, operand)
}

function any<T>(value: unknown, test: Matches<T>, operand: T): boolean {
  return isList(value) ? anyElement(value, test, operand) : test(value, operand)
}
