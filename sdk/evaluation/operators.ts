import { numberOf } from "./decimal.ts"
import type { CompileExpression } from "./expression.ts"
import { anyElement, isEmptyList, isList } from "./lists.ts"
import { momentOf, parseMoment } from "./moment.ts"
import { parsePercentage, type Share } from "./share.ts"
import { createTextLists, isInList, type TextLists } from "./text-lists.ts"
import { textOf } from "./text-of.ts"
import { compareVersion, parseVersionOperand, type VersionOperand } from "./version.ts"

/** What all conditions of a document share. */
export interface DocumentScope {
  readonly compileExpression: CompileExpression
  /** Without it each list is looked up on its own. */
  readonly textLists?: TextLists
}

/** What operators need besides operand and attribute. */
export interface OperatorScope extends DocumentScope {
  readonly share: Share
}

/** How an operator reads its operand, once, and how it compares an attribute with it. */
interface Operator<T> {
  /** `undefined` where the operator cannot read the text. */
  readonly read: (text: string, scope: OperatorScope) => T | undefined
  /** `value` is the attribute's, `undefined` where it is missing. */
  readonly matches: Matches<T>
}

type Matches<T> = (value: unknown, operand: T) => boolean

/** An operand, and how an attribute is compared with it. */
export interface BoundOperator {
  readonly matches: Matches<unknown>
  readonly operand: unknown
}

/** Reads an operator's operand; `undefined` where the operator cannot read it, or is not in the table. */
export function bindOperator(name: string, text: string, scope: OperatorScope): BoundOperator | undefined {
  const operator = operators.get(name)
  const operand = operator?.read(text, scope)
  return operator === undefined || operand === undefined ? undefined : { matches: operator.matches, operand }
}

/** Whether the operator is in the table: all but groups and those of a project's own. */
export function isOperator(name: string): boolean {
  return operators.has(name)
}

const equals = (text: string, operand: string) => text === operand
const contains = (text: string, operand: string) => text.includes(operand)
const startsWith = (text: string, operand: string) => text.startsWith(operand)
const endsWith = (text: string, operand: string) => text.endsWith(operand)
const isFound = (text: string, operand: (text: string) => boolean) => operand(text)

const asItIs = (text: string) => text
const addList = (text: string, { textLists = createTextLists() }: OperatorScope) => textLists.add(text)
const compileExpression = (text: string, scope: OperatorScope) => scope.compileExpression(text)

const operators: ReadonlyMap<string, Operator<unknown>> = new Map([
  ["equals", operator(asItIs, anyText(equals))],
  ["notEquals", operator(asItIs, noText(equals))],
  ["contains", operator(asItIs, anyText(contains))],
  ["notContains", operator(asItIs, noText(contains))],
  ["startsWith", operator(asItIs, anyText(startsWith))],
  ["endsWith", operator(asItIs, anyText(endsWith))],
  ["matches", operator(compileExpression, anyText(isFound))],
  ["notMatches", operator(compileExpression, noText(isFound))],
  ["in", operator(addList, anyText(isInList))],
  ["notIn", operator(addList, noText(isInList))],
  [
    "greaterThan",
    operator(
      numberOf,
      anyNumber((number, operand) => number > operand),
    ),
  ],
  [
    "greaterThanOrEquals",
    operator(
      numberOf,
      anyNumber((number, operand) => number >= operand),
    ),
  ],
  [
    "lessThan",
    operator(
      numberOf,
      anyNumber((number, operand) => number < operand),
    ),
  ],
  [
    "lessThanOrEquals",
    operator(
      numberOf,
      anyNumber((number, operand) => number <= operand),
    ),
  ],
  [
    "semverEquals",
    operator(
      parseVersionOperand,
      anyVersion((order) => order === 0),
    ),
  ],
  ["semverNotEquals", operator(parseVersionOperand, versionNotEquals())],
  [
    "semverGreaterThan",
    operator(
      parseVersionOperand,
      anyVersion((order) => order > 0),
    ),
  ],
  [
    "semverGreaterThanOrEquals",
    operator(
      parseVersionOperand,
      anyVersion((order) => order >= 0),
    ),
  ],
  [
    "semverLessThan",
    operator(
      parseVersionOperand,
      anyVersion((order) => order < 0),
    ),
  ],
  [
    "semverLessThanOrEquals",
    operator(
      parseVersionOperand,
      anyVersion((order) => order <= 0),
    ),
  ],
  [
    "before",
    operator(
      parseMoment,
      anyMoment((moment, operand) => moment < operand),
    ),
  ],
  [
    "after",
    operator(
      parseMoment,
      anyMoment((moment, operand) => moment > operand),
    ),
  ],
  ["exists", operator(asItIs, (value) => value !== undefined)],
  ["notExists", operator(asItIs, (value) => value === undefined)],
  ["percentage", operator(readPercentage, isInShare)],
  ["always", operator(asItIs, () => true)],
])

/** The table forgets the type of the operand: each operator gets back what it has read itself. */
function operator<T>(read: Operator<T>["read"], matches: Matches<T>): Operator<unknown> {
  return { read, matches: matches as Matches<unknown> }
}

/** A positive operator on texts: an attribute matches, or any element of a list. */
function anyText<T>(test: (text: string, operand: T) => boolean): Matches<T> {
  const testElement: Matches<T> = (value, operand) => {
    const text = textOf(value)
    return text !== undefined && test(text, operand)
  }
  return (value, operand) =>
    typeof value === "string" ? test(value, operand) : any(value, testElement, operand)
}

/** The negative twin: an attribute without a text matches neither, a list matches where none of its elements does. */
function noText<T>(test: (text: string, operand: T) => boolean): Matches<T> {
  const anyMatches = anyText(test)
  return (value, operand) =>
    typeof value === "string"
      ? !test(value, operand)
      : (isList(value) || textOf(value) !== undefined) && !anyMatches(value, operand)
}

function anyNumber(test: (number: number, operand: number) => boolean): Matches<number> {
  const testElement: Matches<number> = (value, operand) => {
    const number = numberOf(value)
    return number !== undefined && test(number, operand)
  }
  return (value, operand) => any(value, testElement, operand)
}

function anyMoment(test: (moment: number, operand: number) => boolean): Matches<number> {
  const testElement: Matches<number> = (value, operand) => {
    const moment = momentOf(value)
    return moment !== undefined && test(moment, operand)
  }
  return (value, operand) => any(value, testElement, operand)
}

function anyVersion(test: (order: number) => boolean): Matches<VersionOperand> {
  return anyText((text, operand) => {
    const order = compareVersion(text, operand)
    return order !== undefined && test(order)
  })
}

/** Unlike other negations it needs a version to compare: the attribute, or an element unless the list is empty. */
function versionNotEquals(): Matches<VersionOperand> {
  const isVersion = anyVersion(() => true)
  const equalsVersion = anyVersion((order) => order === 0)
  return (value, operand) =>
    (isVersion(value, operand) || isEmptyList(value)) && !equalsVersion(value, operand)
}

interface PercentageOperand {
  readonly limit: number
  readonly share: Share
}

function readPercentage(text: string, { share }: OperatorScope): PercentageOperand | undefined {
  const limit = parsePercentage(text)
  return limit === undefined ? undefined : { limit, share }
}

/** The empty text names nobody, so it is in no share; a list names several, so it is in none either. */
function isInShare(value: unknown, { limit, share }: PercentageOperand): boolean {
  const text = textOf(value)
  return text !== undefined && text !== "" && share(text) * 100 < limit
}

function any<T>(value: unknown, test: Matches<T>, operand: T): boolean {
  return isList(value) ? anyElement(value, test, operand) : test(value, operand)
}
