import { numberOf } from "./decimal.ts"
import type { CompileExpression } from "./expression.ts"
import { foldCase } from "./fold-case.ts"
import { anyMoment, anyNumber, anyText, anyVersion, type Matches, noText, otherVersion } from "./matches.ts"
import { parseMoment } from "./moment.ts"
import { createShares, type Share } from "./share.ts"
import { parsePercentage, parseShare, type ShareRange } from "./share-range.ts"
import { createTextLists, isInList, type TextLists } from "./text-lists.ts"
import { textOf } from "./text-of.ts"
import { parseVersionOperand } from "./version.ts"

/** What all conditions of a document share. */
export interface DocumentScope {
  readonly compileExpression: CompileExpression
  /** Without it, each list is stored separately. */
  readonly textLists?: TextLists
  /** Without it, each flag computes its own hashes. */
  readonly shareOf?: (seed: string) => Share
}

/** What operators need besides operand and attribute. */
export interface OperatorScope extends DocumentScope {
  /** The seed of `percentage`: the flag key. */
  readonly seed: string
  readonly shareOf: (seed: string) => Share
}

/** What the operators of one flag need. */
export function scopeOfFlag(key: string, document: DocumentScope): OperatorScope {
  return { ...document, seed: key, shareOf: document.shareOf ?? createShares() }
}

/** How an operator reads its operand, once, and how it compares an attribute with it. */
interface Operator<T> {
  /** `undefined` if the operator cannot read the text. */
  readonly read: (text: string, scope: OperatorScope) => T | undefined
  /** `value` is the attribute's value, `undefined` if it is missing. */
  readonly matches: Matches<T>
}

/** An operand, and the function that compares attributes with it. */
export interface BoundOperator {
  readonly matches: Matches<unknown>
  readonly operand: unknown
}

/** Reads an operator's operand; `undefined` if the operator cannot read it, or is not in the table. */
export function bindOperator(name: string, text: string, scope: OperatorScope): BoundOperator | undefined {
  const operator = operators.get(name)
  const operand = operator?.read(text, scope)
  return operator === undefined || operand === undefined ? undefined : { matches: operator.matches, operand }
}

/** Whether the operator is in the table: all but groups and a project's own operators. */
export function isOperator(name: string): boolean {
  return operators.has(name)
}

const equals = (text: string, operand: string) => text === operand
const contains = (text: string, operand: string) => text.includes(operand)
const startsWith = (text: string, operand: string) => text.startsWith(operand)
const endsWith = (text: string, operand: string) => text.endsWith(operand)
const isFound = (text: string, operand: (text: string) => boolean) => operand(text)

/** Folds the text; the operand was folded when it was read. */
function folded<T>(test: (text: string, operand: T) => boolean): typeof test {
  return (text, operand) => test(foldCase(text), operand)
}

const isSame = (a: number, b: number) => a === b
const isAbove = (a: number, b: number) => a > b
const isAtLeast = (a: number, b: number) => a >= b
const isBelow = (a: number, b: number) => a < b
const isAtMost = (a: number, b: number) => a <= b

const asItIs = (text: string) => text
const addList = (text: string, { textLists = createTextLists() }: OperatorScope) => textLists.add(text)
const addFolded = (text: string, { textLists = createTextLists() }: OperatorScope) =>
  textLists.add(text, foldCase)
const compileExpression = (text: string, scope: OperatorScope) => scope.compileExpression(text)

/** docs/evaluation.md defines each operator. */
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
  ["equalsIgnoreCase", operator(foldCase, anyText(folded(equals)))],
  ["notEqualsIgnoreCase", operator(foldCase, noText(folded(equals)))],
  ["containsIgnoreCase", operator(foldCase, anyText(folded(contains)))],
  ["notContainsIgnoreCase", operator(foldCase, noText(folded(contains)))],
  ["startsWithIgnoreCase", operator(foldCase, anyText(folded(startsWith)))],
  ["endsWithIgnoreCase", operator(foldCase, anyText(folded(endsWith)))],
  ["inIgnoreCase", operator(addFolded, anyText(folded(isInList)))],
  ["notInIgnoreCase", operator(addFolded, noText(folded(isInList)))],
  ["greaterThan", operator(numberOf, anyNumber(isAbove))],
  ["greaterThanOrEquals", operator(numberOf, anyNumber(isAtLeast))],
  ["lessThan", operator(numberOf, anyNumber(isBelow))],
  ["lessThanOrEquals", operator(numberOf, anyNumber(isAtMost))],
  ["semverEquals", operator(parseVersionOperand, anyVersion(isSame))],
  ["semverNotEquals", operator(parseVersionOperand, otherVersion())],
  ["semverGreaterThan", operator(parseVersionOperand, anyVersion(isAbove))],
  ["semverGreaterThanOrEquals", operator(parseVersionOperand, anyVersion(isAtLeast))],
  ["semverLessThan", operator(parseVersionOperand, anyVersion(isBelow))],
  ["semverLessThanOrEquals", operator(parseVersionOperand, anyVersion(isAtMost))],
  ["before", operator(parseMoment, anyMoment(isBelow))],
  ["beforeOrEquals", operator(parseMoment, anyMoment(isAtMost))],
  ["after", operator(parseMoment, anyMoment(isAbove))],
  ["afterOrEquals", operator(parseMoment, anyMoment(isAtLeast))],
  ["exists", operator(asItIs, (value) => value !== undefined)],
  ["notExists", operator(asItIs, (value) => value === undefined)],
  ["percentage", operator((text, scope) => bindShare(parsePercentage(text, scope.seed), scope), isInShare)],
  ["share", operator((text, scope) => bindShare(parseShare(text), scope), isInShare)],
  ["always", operator(asItIs, () => true)],
])

/** Erases the operand's type for the table: each operator gets back what it has read itself. */
function operator<T>(read: Operator<T>["read"], matches: Matches<T>): Operator<unknown> {
  return { read, matches: matches as Matches<unknown> }
}

interface ShareOperand extends ShareRange {
  readonly share: Share
}

function bindShare(range: ShareRange | undefined, { shareOf }: OperatorScope): ShareOperand | undefined {
  return range && { ...range, share: shareOf(range.seed) }
}

/** The empty string identifies no one, so it is in no share; a list identifies several users, so it is in none either. */
function isInShare(value: unknown, { from, to, share }: ShareOperand): boolean {
  const text = textOf(value)
  if (text === undefined || text === "") return false
  const point = share(text) * 100
  return point >= from && point < to
}
