import { numberOf } from "./decimal.ts"
import { anyElement, isEmptyList, isList } from "./lists.ts"
import { momentOf } from "./moment.ts"
import { textOf } from "./text-of.ts"
import { compareVersion, type VersionOperand } from "./version.ts"

/** How an operator compares an attribute, `undefined` where it is missing, with its operand. */
export type Matches<T> = (value: unknown, operand: T) => boolean

/** A positive operator on texts: an attribute matches, or any element of a list. */
export function anyText<T>(test: (text: string, operand: T) => boolean): Matches<T> {
  const testElement: Matches<T> = (value, operand) => {
    const text = textOf(value)
    return text !== undefined && test(text, operand)
  }
  return (value, operand) =>
    typeof value === "string" ? test(value, operand) : any(value, testElement, operand)
}

/** The negative twin: an attribute without a text matches neither, a list matches if none of its elements does. */
export function noText<T>(test: (text: string, operand: T) => boolean): Matches<T> {
  const anyMatches = anyText(test)
  return (value, operand) =>
    typeof value === "string"
      ? !test(value, operand)
      : (isList(value) || textOf(value) !== undefined) && !anyMatches(value, operand)
}

/** An attribute that is not a number matches nothing. */
export function anyNumber(test: (number: number, operand: number) => boolean): Matches<number> {
  const testElement: Matches<number> = (value, operand) => {
    const number = numberOf(value)
    return number !== undefined && test(number, operand)
  }
  return (value, operand) => any(value, testElement, operand)
}

/** An attribute that is not a moment matches nothing. */
export function anyMoment(test: (moment: number, operand: number) => boolean): Matches<number> {
  const testElement: Matches<number> = (value, operand) => {
    const moment = momentOf(value)
    return moment !== undefined && test(moment, operand)
  }
  return (value, operand) => any(value, testElement, operand)
}

/** Compares the order of the version and the operand with 0. */
export function anyVersion(test: (order: number, zero: number) => boolean): Matches<VersionOperand> {
  return anyText((text, operand) => {
    const order = compareVersion(text, operand)
    return order !== undefined && test(order, 0)
  })
}

/** Unlike other negations it needs a version to compare: the attribute, or an element unless the list is empty. */
export function otherVersion(): Matches<VersionOperand> {
  const isVersion = anyVersion(() => true)
  const equalsVersion = anyVersion((order) => order === 0)
  return (value, operand) =>
    (isVersion(value, operand) || isEmptyList(value)) && !equalsVersion(value, operand)
}

function any<T>(value: unknown, test: Matches<T>, operand: T): boolean {
  return isList(value) ? anyElement(value, test, operand) : test(value, operand)
}
